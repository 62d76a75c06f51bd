package payload

import (
	"encoding/json"
	"strings"
	"time"

	"svc/store/git"
	"svc/store/model"
)

// The rows that the bodies in testdata are made of.

var (
	here = Instance{Base: "https://svc.example"}

	birth = time.Date(2026, 1, 20, 10, 0, 0, 0, time.UTC)
	later = birth.Add(90 * time.Second)

	ada = model.User{
		ID: 1, Name: "Ada", Username: "ada", Email: "ada@svc.example", PublicEmail: new("ada@public.example"),
		Avatar: new("ada.png"), State: model.UserActive, CreatedAt: birth, UpdatedAt: birth,
	}
	bo = model.User{
		ID: 41, Name: "Bo", Username: "bo", Email: "bo@svc.example", State: model.UserBlocked, CreatedAt: birth, UpdatedAt: birth,
	}

	demo = model.Project{
		ID: 15, NamespaceID: 23, Name: "Demo", Path: "demo", FullPath: "g/demo", FullName: "G / Demo", Description: new("A demo"),
		Visibility: model.Private, DefaultBranch: "main", CiConfigPath: new("ci.yml"), CreatedAt: birth, UpdatedAt: later,
	}
	fork = model.Project{
		ID: 16, NamespaceID: 42, Name: "Demo", Path: "demo", FullPath: "bo/demo", FullName: "Bo / Demo",
		Visibility: model.Public, DefaultBranch: "main", Avatar: new("fox.png"), CreatedAt: birth, UpdatedAt: birth,
	}
	team = model.Namespace{ID: 23, Kind: model.NamespaceGroup, Name: "G", Path: "g", FullPath: "g", CreatedAt: birth, UpdatedAt: later}
	sub  = model.Namespace{ID: 24, Kind: model.NamespaceGroup, Name: "S", Path: "s", FullPath: "g/s", CreatedAt: birth, UpdatedAt: birth}

	oldID, newID, tagID = strings.Repeat("95", 20), strings.Repeat("da", 20), strings.Repeat("82", 20)

	zone = time.FixedZone("", 2*60*60)
	fix  = git.Commit{
		ID: newID, Parents: []string{oldID}, Message: "Fix the door\n\nIt was open.\n",
		Author:    git.Person{Name: "Ada", Email: "ada@svc.example", When: birth.In(zone)},
		Committer: git.Person{Name: "Ada", Email: "ada@svc.example", When: birth.In(zone)},
	}
	fixWithFiles = CommitFiles{Commit: fix, Added: []string{"a.go"}, Modified: []string{"door/lock.go"}, Removed: nil}

	bug = model.Label{ID: 7, ProjectID: new(int64(15)), Name: "bug", Color: "#ff0000", CreatedAt: birth, UpdatedAt: birth}
	all = model.Label{
		ID: 8, GroupID: new(int64(23)), Name: "urgent", Description: new("Now"), Color: "#00ff00", CreatedAt: birth, UpdatedAt: birth,
	}

	door = model.IssueRow{
		Issue: model.Issue{
			ID: 301, ProjectID: 15, IID: 23, AuthorID: 1, Title: "The door is open", Description: new("See ![photo](/uploads/3f/door.png)"),
			State: model.Opened, IssueType: "issue", Severity: "UNKNOWN", MilestoneID: new(int64(61)),
			DueDate: new(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)), TimeEstimate: 3600, RelativePosition: new(int64(1026)),
			CreatedAt: birth, UpdatedAt: later,
		},
		Assignees: []*model.User{&bo}, Labels: []model.Label{bug},
	}
	secret = model.IssueRow{Issue: model.Issue{
		ID: 302, ProjectID: 15, IID: 24, AuthorID: 1, Title: "The key is under the mat", State: model.Opened, IssueType: "incident",
		Severity: "HIGH", Confidential: true, CreatedAt: birth, UpdatedAt: birth,
	}}

	request = MergeRequestState{
		Row: model.MergeRequestRow{
			MergeRequest: model.MergeRequest{
				ID: 93, ProjectID: 15, IID: 16, AuthorID: 41, SourceProjectID: new(int64(16)), SourceBranch: "lock", TargetBranch: "main",
				Title: "Add a lock", Description: new("Closes #23"), State: model.Opened, HeadSHA: newID, MergeStatus: model.MergeChecking,
				RemoveSourceBranch: new(true), HeadPipelineID: new(int64(31)), PreparedAt: &later, CreatedAt: birth, UpdatedAt: later,
			},
			Project: &demo, Assignees: []*model.User{&ada}, Labels: []model.Label{bug},
		},
		Source: &fork, Reviewers: []model.Reviewer{{User: ada, ReviewState: model.ReviewUnreviewed}}, LastCommit: &fix,
		DetailedStatus: "checking", TargetProtected: true, FirstContribution: true,
	}

	snippet = SnippetFile{
		Snippet: model.Snippet{
			ID: 53, ProjectID: new(int64(15)), AuthorID: 1, Title: "Greeting", Visibility: model.Private, Files: `["hello.rb"]`,
			CreatedAt: birth, UpdatedAt: birth,
		},
		Content: "puts 1\n",
	}

	place = `{"base_sha":"` + oldID + `","start_sha":"` + oldID + `","head_sha":"` + newID + `","old_path":"door/lock.go",` +
		`"new_path":"door/lock.go","position_type":"text","old_line":null,"new_line":3,"line_range":{` +
		`"start":{"line_code":"1f_2_2","type":"new","old_line":null,"new_line":2},` +
		`"end":{"line_code":"1f_2_3","type":"new","old_line":null,"new_line":3}}}`

	pipeline = model.Pipeline{
		ID: 31, ProjectID: 15, IID: 3, UserID: new(int64(1)), Ref: "main", Protected: true, SHA: newID, BeforeSHA: oldID,
		CommitData: stored(fix), Source: "push", Status: "success", Stages: `["test","deploy"]`, Duration: new(int64(63)),
		CreatedAt: birth, UpdatedAt: later, StartedAt: new(birth.Add(10 * time.Second)), FinishedAt: &later,
	}
	linux = model.Runner{ID: 1, RunnerType: model.InstanceRunner, Description: new("shared"), Tags: `["linux"]`}
	unit  = model.JobRow{
		Job: model.Job{
			ID: 377, ProjectID: 15, PipelineID: 31, Name: "unit", Stage: "test", Status: "success", RunWhen: "on_success", Ref: "main",
			CreatedAt: birth, QueuedAt: new(birth.Add(time.Second)), StartedAt: new(birth.Add(4500 * time.Millisecond)),
			FinishedAt: new(birth.Add(21500 * time.Millisecond)),
		},
		User: &ada, Runner: &linux,
		Artifacts: []model.JobArtifact{{FileType: model.ArchiveArtifact, Filename: "artifacts.zip", Size: 1024}},
	}
	deploy = model.JobRow{
		Job: model.Job{
			ID: 378, ProjectID: 15, PipelineID: 31, Name: "deploy", Stage: "deploy", Status: "failed", RunWhen: "manual",
			AllowFailure: true, Ref: "main", Environment: new("staging"), EnvironmentAction: new("start"),
			FailureReason: new("script_failure"),
			CreatedAt:     birth, QueuedAt: &birth, StartedAt: &birth, FinishedAt: &later,
		},
		User: &ada, Pipeline: pipeline,
	}
	tiers   = map[string]string{"staging": "staging"}
	staging = model.Environment{
		ID: 5, ProjectID: 15, Name: "staging", Slug: "staging", Tier: "staging", ExternalURL: new("https://staging.example"),
	}
	release = ReleaseInput{
		Project: demo, ID: 1, Tag: "v1.0/beta", Name: "One", Description: new("First"), CreatedAt: birth, ReleasedAt: birth, Commit: &fix,
		Links:  []ReleaseLink{{ID: 1, LinkType: "other", Name: "log", URL: "https://x.example/log"}},
		Action: ActionCreate,
	}
	plan = model.Milestone{
		ID: 61, ProjectID: new(int64(15)), IID: 10, Title: "v1", Description: new(""), State: model.MilestoneActive,
		DueDate: new(time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)), CreatedAt: birth, UpdatedAt: birth,
	}
	token = model.PersonalAccessToken{
		ID: 25, UserID: 90, Name: "deploy", CreatedAt: birth, ExpiresAt: new(time.Date(2026, 1, 26, 0, 0, 0, 0, time.UTC)),
	}
	key = model.Key{ID: 4, UserID: 41, Key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", CreatedAt: birth, UpdatedAt: birth}
)

func stored(c git.Commit) string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// comment returns a note on something.
func comment(id int64, kind string, on *int64, text string) model.Note {
	return model.Note{
		ID: id, ProjectID: 15, NoteableType: kind, NoteableID: on, DiscussionID: strings.Repeat("e1", 20), AuthorID: 41, Body: text,
		CreatedAt: birth, UpdatedAt: birth,
	}
}

// commentOnLine returns a note on a line of a merge request.
func commentOnLine() model.Note {
	n := comment(1245, model.OnMergeRequest, new(int64(93)), "Too ![weak](/help/lock.png)")
	n.NoteType, n.Position, n.Resolvable = new(model.DiffNote), &place, true
	return n
}

// commentOnCommit returns a note on a commit.
func commentOnCommit() model.Note {
	n := comment(1246, model.OnCommit, nil, "Well done")
	n.CommitID = &newID
	return n
}

// internalComment returns a note that only members see.
func internalComment() model.Note {
	n := comment(1247, model.OnIssue, new(int64(301)), "The mat is blue")
	n.Internal = true
	return n
}

// relabelled is the merge request before its labels, reviewers and title were changed.
func relabelled() MergeRequestState {
	before := request
	before.Row.MergeRequest.Title, before.Row.MergeRequest.Draft = "Draft: Add a lock", true
	before.Row.MergeRequest.UpdatedAt = birth
	before.Row.Labels, before.Reviewers = []model.Label{bug, all}, nil
	return before
}
