package load_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"
)

func TestAnIssueIsReadWithItsPeopleAndLabels(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	issue := storetest.Issue(t, s.store, s.project, s.owner, func(i *model.Issue) { i.Confidential = true })
	storetest.Assign(t, s.store, issue, s.owner)
	row, err := s.load.Issue(t.Context(), issue.ID)
	if err != nil || len(row.Assignees) != 1 || row.Issue.Title != issue.Title {
		t.Fatalf("the issue is %+v, %v", row, err)
	}
	note := model.Note{ProjectID: s.project.ID, NoteableType: model.OnIssue, NoteableID: &issue.ID, AuthorID: s.owner.ID, Body: "x"}
	if err := s.store.Notes.Add(t.Context(), &note); err != nil {
		t.Fatal(err)
	}
	target, err := s.load.NoteTarget(t.Context(), s.project, note)
	in := payload.NoteInput{Project: s.project, User: s.owner, Note: note, Action: payload.ActionCreate, Target: target}
	if err != nil || target.Issue == nil || !in.Confidential() || here.Note(in).Issue.IID != issue.IID {
		t.Errorf("the target is %+v, %v", target, err)
	}
	award := model.AwardEmoji{AwardableType: model.OnNote, AwardableID: note.ID, UserID: s.owner.ID, Name: "heart"}
	on, target, err := s.load.EmojiTarget(t.Context(), s.project, award)
	if err != nil || on == nil || on.ID != note.ID || target.Issue.Issue.ID != issue.ID {
		t.Errorf("the target of an emoji is %+v, %+v, %v", on, target, err)
	}
	if _, err := s.load.Issue(t.Context(), 987654321); !store.IsNotFound(err) {
		t.Errorf("an unknown issue: %v", err)
	}
}

func TestAMergeRequestIsReadWithItsHeadAndStatus(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"))
	s.set("refs/heads/main", git.Zero, first)
	rule := model.ProtectedBranch{ProjectID: s.project.ID, Name: "main"}
	if err := s.store.Protections.ProtectBranch(t.Context(), &rule); err != nil {
		t.Fatal(err)
	}
	row := storetest.MergeRequest(t, s.store, s.project, s.owner, func(m *model.MergeRequest) { m.HeadSHA = first })
	if err := s.store.MergeRequests.SetReviewers(t.Context(), row.ID, []int64{s.owner.ID}); err != nil {
		t.Fatal(err)
	}
	state, err := s.load.MergeRequest(t.Context(), s.project.ID, row.IID)
	if err != nil || state.LastCommit == nil || state.LastCommit.ID != first || state.DetailedStatus != "unchecked" ||
		!state.TargetProtected || !state.FirstContribution || len(state.Reviewers) != 1 || state.Source != nil {
		t.Fatalf("the merge request is %+v, %v", state, err)
	}
	note := model.Note{ProjectID: s.project.ID, NoteableType: model.OnMergeRequest, NoteableID: &row.ID}
	target, err := s.load.NoteTarget(t.Context(), s.project, note)
	if err != nil || target.MergeRequest == nil || target.MergeRequest.Row.MergeRequest.ID != row.ID {
		t.Errorf("the target is %+v, %v", target, err)
	}
}

func TestACommitThatIsGoneIsStillATarget(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"))
	lost := strings.Repeat("e", 40)
	for id, title := range map[string]string{first: "first", lost: ""} {
		target, err := s.load.NoteTarget(t.Context(), s.project, model.Note{NoteableType: model.OnCommit, CommitID: &id})
		if err != nil || target.Commit.ID != id || target.Commit.Title() != title {
			t.Errorf("the target is %+v, %v", target, err)
		}
	}
}

func TestAPipelineIsReadWithItsJobs(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := git.Commit{ID: strings.Repeat("a", 40), Message: "x", Author: git.Person{Name: "Ada", Email: strings.ToUpper(s.owner.Email)}}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	environment := model.Environment{
		ProjectID: s.project.ID, Name: "live", Slug: "live", Tier: "production", State: model.EnvironmentAvailable,
	}
	if err := s.store.Environments.Create(t.Context(), &environment); err != nil {
		t.Fatal(err)
	}
	parent := storetest.Job(t, s.store, s.project, func(_ *model.Pipeline, j *model.Job) { j.Bridge = true })
	job := storetest.Job(t, s.store, s.project, func(p *model.Pipeline, j *model.Job) {
		p.CommitData, p.UserID, p.UpstreamJobID, p.Child = string(data), &s.owner.ID, &parent.ID, true
		j.Environment, j.UserID = new("live"), &s.owner.ID
	})
	row, err := s.store.Pipelines.Find(t.Context(), job.PipelineID)
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.load.Pipeline(t.Context(), row, s.project)
	if err != nil || len(in.Jobs) != 1 || in.User.ID != s.owner.ID || in.Tiers["live"] != "production" ||
		in.Source == nil || in.Source.JobID != parent.ID || in.Source.Project.ID != s.project.ID {
		t.Fatalf("the pipeline is %+v, %v", in, err)
	}
	if shown := here.Pipeline(in); shown.Builds[0].When != "on_success" || *shown.Builds[0].Environment.DeploymentTier != "production" {
		t.Errorf("its job is %+v", shown.Builds[0])
	}
	one, err := s.load.Job(t.Context(), job.ID, s.project)
	if err != nil || one.Author == nil || one.Author.ID != s.owner.ID || one.Retries != 0 || one.Source == nil {
		t.Fatalf("the job is %+v, %v", one, err)
	}
	if shown := here.Job(one); shown.BeforeSHA != git.Zero || shown.Commit.AuthorURL != "https://svc.example/"+s.owner.Username {
		t.Errorf("the job is shown as %+v", shown)
	}
	if row, err = s.store.Pipelines.Find(t.Context(), parent.PipelineID); err != nil {
		t.Fatal(err)
	}
	in, err = s.load.Pipeline(t.Context(), row, s.project)
	if err != nil || len(in.Jobs) != 0 || in.Source != nil || in.User != nil {
		t.Errorf("a pipeline with a bridge is %+v, %v", in, err)
	}
}

func TestTheOwnersOfAProjectAreRead(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	other := storetest.User(t, s.store)
	for user, role := range map[int64]model.Access{other.ID: model.Owner, storetest.User(t, s.store).ID: model.Maintainer} {
		m := model.Member{SourceType: model.SourceProject, SourceID: s.project.ID, UserID: user, AccessLevel: role, CreatedAt: time.Now()}
		if err := s.store.Members.Add(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	row, err := s.store.Projects.Get(t.Context(), s.project.ID, "", &store.Reader{Admin: true})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.load.SystemProject(t.Context(), payload.EventProjectCreate, row)
	if err != nil || len(in.Owners) != 2 || in.Owner == nil || in.Owner.ID != s.owner.ID || in.Group != nil {
		t.Errorf("the owners are %+v, %v", in, err)
	}
}
