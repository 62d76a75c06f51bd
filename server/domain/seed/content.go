package seed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"svc/server/domain/fixture"
	"svc/store/secret"
)

// fullProjects is how many projects have everything. The others are empty, as new projects are.
const fullProjects = 6

// Names of the labels and milestones of a full project.
const (
	bug, feature, docsLabel = "bug", "feature", "documentation"
	first, second           = "1.0", "1.1"
)

// fillProjects declares what is in the first projects, and the runners and hooks.
func (f *filler) fillProjects() {
	if len(f.doc.Users) < len(exampleUsers) {
		return // the cast does the work
	}
	for i := range min(fullProjects, len(f.doc.Projects)) {
		f.fillProject(i, &f.doc.Projects[i])
	}
	f.runners()
	f.doc.Hooks = []fixture.Hook{{
		URL: "https://hooks.example.invalid/system", Name: "System", Events: []string{"repository_update"},
		Token: f.digest("system hook")[:20], CreatedAt: f.at(0),
	}}
	if len(f.doc.Groups) > 0 {
		f.doc.Groups[0].Labels = []fixture.Label{{Name: "urgent", Color: "#d9534f", Description: "Do it first."}}
		f.doc.Groups[0].Milestones = []fixture.Milestone{{Title: "Quarter", Description: "What we promised.", DueDate: date(2026, 3, 31)}}
		f.doc.Groups[0].Hooks = []fixture.Hook{{
			URL: "https://hooks.example.invalid/group", Name: "Group", Events: []string{"subgroup"}, CreatedAt: f.at(0),
		}}
	}
}

func (f *filler) runners() {
	f.doc.Runners = []fixture.Runner{{
		Description: "shared runner", Token: secret.RunnerTokenPrefix + f.digest("shared runner")[:40], Tags: []string{"linux", "docker"},
		CreatedAt: f.at(1), MaintenanceNote: "Runs the jobs of everybody.",
	}}
	if len(f.doc.Groups) > 0 {
		f.doc.Runners = append(f.doc.Runners, fixture.Runner{
			Description: "group runner", Token: secret.RunnerTokenPrefix + f.digest("group runner")[:40], Group: f.doc.Groups[0].Path,
			Tags: []string{"linux"}, CreatedAt: f.at(2),
		})
	}
	if len(f.doc.Projects) > 1 {
		f.doc.Runners = append(f.doc.Runners, fixture.Runner{
			Description: "project runner", Token: secret.RunnerTokenPrefix + f.digest("project runner")[:40],
			Projects: []string{f.doc.Projects[1].Path}, Paused: true, Locked: true, CreatedAt: f.at(3),
		})
	}
}

// project is a full project while it is declared.
type project struct {
	*fixture.Project
	random *rand.Rand
	clock  time.Time
	slug   string
	owner  string
}

// The people who work in full projects, with these roles.
const (
	maintainer, developer, reporter, guest = "ben", "cleo", "dan", "eve"
)

func (f *filler) fillProject(i int, declared *fixture.Project) {
	p := &project{
		Project: declared, random: rand.New(rand.NewPCG(f.number, uint64(i)+1)), //nolint:gosec // it is meant to be repeatable
		clock: declared.CreatedAt.Time, slug: slug(declared.Name), owner: declared.Creator,
	}
	p.members()
	p.history()
	p.planning()
	p.issues()
	p.mergeRequests()
	p.pipelines()
	p.Releases = []fixture.Release{
		{
			Tag: "v1.0.0", Name: "First release", Description: "It works.\n\n- builds\n- has tests\n", Author: maintainer,
			Milestones: []string{first}, CreatedAt: p.later(time.Hour), Links: []fixture.ReleaseLink{
				{Name: "Handbook", URL: "https://docs.example.invalid/" + p.slug, FilePath: "/handbook", LinkType: "runbook"},
			},
		},
		{Tag: "v1.1.0", Description: "Metrics.", Author: maintainer, CreatedAt: p.later(time.Hour)},
	}
	p.Packages = []fixture.Package{{
		Name: p.slug, Version: "1.0.0", Creator: maintainer, CreatedAt: p.later(time.Hour), Files: fixture.Files{
			p.slug + ".txt": fixture.TextFile("The package of " + p.Name + ".\n"),
			"checksums.txt": fixture.TextFile(f.digest("checksum of "+p.slug) + "  " + p.slug + ".txt\n"),
		},
	}}
	p.Variables = []fixture.Variable{{Key: "DEPLOY_TARGET", Value: p.slug + ".example.invalid"}}
	p.Hooks = []fixture.Hook{{
		URL: "https://hooks.example.invalid/" + p.slug, Events: []string{"releases"}, Token: f.digest("hook of " + p.slug)[:20],
		CreatedAt: p.later(time.Hour),
	}}
}

// later moves the clock of the project and returns the new time.
func (p *project) later(by time.Duration) fixture.Time {
	p.clock = p.clock.Add(by)
	return fixture.At(p.clock)
}

// members adds the cast to projects in personal namespaces. In groups, the cast are members of the group.
func (p *project) members() {
	if !strings.HasPrefix(p.Path, p.owner+"/") {
		return
	}
	for user, role := range map[string]string{maintainer: "maintainer", developer: "developer", reporter: "reporter", guest: "guest"} {
		if user != p.owner {
			p.Members = append(p.Members, fixture.Member{User: user, Role: role})
		}
	}
	sortMembers(p.Members)
}

// planning declares labels and milestones.
func (p *project) planning() {
	rank := int64(1)
	p.Labels = []fixture.Label{
		{Name: bug, Color: "#d9534f", Description: "Something does not work.", Priority: &rank},
		{Name: feature, Color: "#5cb85c", Description: "Something new."},
		{Name: docsLabel, Color: "#428bca"},
	}
	p.Milestones = []fixture.Milestone{
		{
			Title: first, Description: "The first release.", State: "closed", StartDate: date(2026, 1, 5), DueDate: date(2026, 1, 30),
			CreatedAt: p.CreatedAt, UpdatedAt: p.later(24 * time.Hour),
		},
		{Title: second, Description: "Metrics, and fewer mistakes.", DueDate: date(2026, 2, 27), CreatedAt: p.CreatedAt},
	}
}

func date(year int, month time.Month, day int) fixture.Date {
	return fixture.Date{Time: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}

// issues declares issues of every kind. The first three are the same in every project; the merge requests name them.
func (p *project) issues() {
	p.Issues = []fixture.Issue{
		p.issue("The service does not stop", "It hangs when I press Ctrl-C.", bug, first, reporter),
		p.issue("Show how many requests were answered", "A number for each minute would do.", feature, second, guest),
		p.issue("Explain the settings", "The guide names them, but does not say what they do.", docsLabel, second, developer),
	}
	p.close(&p.Issues[0], maintainer)
	for range 3 + p.random.IntN(3) {
		title := pick(p.random, issueTitles)
		text, label := pick(p.random, issueTexts), pick(p.random, []string{bug, feature})
		issue := p.issue(fmt.Sprintf("%s in %s", title, p.Name), text, label, "", reporter)
		if p.random.IntN(3) == 0 {
			p.close(&issue, developer)
		}
		p.Issues = append(p.Issues, issue)
	}
	hidden := p.issue("A token is in the log", "Please do not talk about it yet.", bug, "", developer)
	hidden.Confidential = true
	incident := p.issue("The database is full", "Writes fail since this morning.", bug, "", maintainer)
	incident.Type = "incident"
	p.Issues = append(p.Issues, hidden, incident)
}

func (p *project) issue(title, text, label, milestone, author string) fixture.Issue {
	i := fixture.Issue{
		Title: title, Description: text, Author: author, Labels: []string{label}, Milestone: milestone,
		Assignees: []string{developer}, CreatedAt: p.later(3 * time.Hour),
	}
	for n := range 1 + p.random.IntN(3) {
		by := []string{maintainer, developer, author}[n%3]
		i.Notes = append(i.Notes, fixture.Note{Author: by, Body: pick(p.random, comments), CreatedAt: p.later(20 * time.Minute)})
	}
	return i
}

// close closes an issue, with the note that the service writes.
func (p *project) close(i *fixture.Issue, by string) {
	at := p.later(30 * time.Minute)
	i.State, i.ClosedBy, i.ClosedAt = "closed", by, at
	i.Notes = append(i.Notes, fixture.Note{Author: by, Body: "closed", System: true, CreatedAt: at})
}

// mergeRequests declares a merge request in every state: merged, ready, with conflicts, draft and closed.
func (p *project) mergeRequests() {
	merged := p.mergeRequest("Count requests", "Closes #2", branchMetrics)
	merged.Head, merged.MergeCommit, merged.State, merged.MergedBy = commitMetrics, commitMerge, "merged", maintainer
	merged.ApprovedBy = []string{maintainer}
	merged.MergedAt = p.later(time.Hour)
	merged.Notes = append(merged.Notes, fixture.Note{Author: maintainer, Body: "merged", System: true, CreatedAt: merged.MergedAt})
	ready := p.mergeRequest("Correct a mistake in the guide", "See #3.", branchTypo)
	ready.Labels, ready.Milestone = []string{docsLabel}, second
	conflict := p.mergeRequest("Rewrite the README", "It was too short.", branchReadme)
	conflict.Notes = append(conflict.Notes, fixture.Note{
		Author: maintainer, Body: "Is this sentence still true?", Thread: "sentence", CreatedAt: p.later(time.Hour),
	}, fixture.Note{Author: developer, Body: "I will look.", Thread: "sentence", CreatedAt: p.later(time.Minute)})
	draft := p.mergeRequest("Draft: Cache the answers", "Not finished.", branchCache)
	closed := p.mergeRequest("Try another storage", "An experiment.", branchIdea)
	closed.State, closed.ClosedBy, closed.ClosedAt = "closed", developer, p.later(time.Hour)
	closed.Notes = append(closed.Notes, fixture.Note{Author: developer, Body: "closed", System: true, CreatedAt: closed.ClosedAt})
	p.MergeRequests = []fixture.MergeRequest{merged, ready, conflict, draft, closed}
}

func (p *project) mergeRequest(title, text, branch string) fixture.MergeRequest {
	return fixture.MergeRequest{
		Title: title, Description: text, Author: developer, SourceBranch: branch, Assignees: []string{developer},
		Reviewers: []string{maintainer}, CreatedAt: p.later(2 * time.Hour),
		Notes: []fixture.Note{{Author: maintainer, Body: pick(p.random, comments), CreatedAt: p.later(time.Hour)}},
	}
}
