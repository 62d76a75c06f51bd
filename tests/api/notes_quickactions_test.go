package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// commandResult is the response to a note that has only quick actions.
type commandResult struct {
	Changes map[string]any `json:"commands_changes"`
	Summary []string
}

// issueDetails is an issue in a response, with the members that tests of quick actions check.
type issueDetails struct {
	IID          int64
	Title        string
	Description  *string
	State        string
	Confidential bool
	Labels       []string
	DueDate      *string `json:"due_date"`
	Locked       *bool   `json:"discussion_locked"`
	Milestone    *struct{ Title string }
	Assignees    []struct{ Username string }
	Times        struct {
		Estimate int64 `json:"time_estimate"`
		Spent    int64 `json:"total_time_spent"`
	} `json:"time_stats"`
}

// quickActionsIssue is an issue of a project that has labels and a milestone, and a reporter who comments on it.
type quickActionsIssue struct {
	t    *testing.T
	path string
	dora *harness.Caller
}

func newQuickActionsIssue(t *testing.T, h *harness.H) quickActionsIssue {
	t.Helper()
	owner := h.NewUser(named("olga"))
	p := h.Project(*owner.User.NamespaceID, called("web", model.Public))
	dora := h.NewUser(named("dora"))
	h.JoinProject(p, dora.User, model.Reporter)
	in := fmt.Sprintf("/projects/%d", p.ID)
	for _, name := range []string{"bug", "to do"} {
		expect(t, owner.JSON("POST", in+"/labels", fmt.Sprintf(`{"name":%q,"color":"#ff0000"}`, name)), 201, "")
	}
	expect(t, owner.JSON("POST", in+"/milestones", `{"title":"1.0"}`), 201, "")
	expect(t, owner.JSON("POST", in+"/issues", `{"title":"first","labels":"bug"}`), 201, "")
	expect(t, owner.JSON("POST", in+"/issues", `{"title":"second"}`), 201, "")
	return quickActionsIssue{t: t, path: in + "/issues/2", dora: dora}
}

// run sends a note that has only quick actions.
func (q quickActionsIssue) run(text string) commandResult {
	q.t.Helper()
	return read[commandResult](q.t, q.dora.JSON("POST", q.path+"/notes", `{"body":`+quoted(text)+`}`), 202)
}

func (q quickActionsIssue) get() issueDetails {
	q.t.Helper()
	return read[issueDetails](q.t, q.dora.Send("GET", q.path, ""), 200)
}

func TestQuickActionsOnAnIssue(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	q := newQuickActionsIssue(t, h)
	got := q.run("/title Better\n/assign me @olga\n/label ~\"to do\" ~nothing\n/milestone %1.0\n/due " +
		"2031-02-03\n/estimate 3h\n/spend 1h 30m 2026-01-02\n/lock\n/confidential\n/copy_metadata #1")
	if len(got.Summary) != 10 || got.Changes["title"] != "Better" || got.Changes["due_date"] != "2031-02-03" {
		t.Errorf("%+v", got)
	}
	expectEverythingSet(t, q.get())
	q.run("/unassign @olga\n/unlabel ~bug\n/remove_milestone\n/remove_due_date\n" +
		"/remove_estimate\n/remove_time_spent\n/unlock")
	expectEverythingRemoved(t, q.get())
	q.run("/relabel ~bug\n/reassign @olga\n/relate #1")
	q.run("/duplicate #1")
	if i := q.get(); fmt.Sprint(i.Labels) != "[bug]" || i.State != "closed" || i.Assignees[0].Username != "olga" {
		t.Errorf("%+v", i)
	}
	if links := read[[]issueDetails](t, q.dora.Send("GET", q.path+"/links", ""), 200); len(links) != 1 {
		t.Errorf("%+v", links)
	}
	expectDuplicateOf(t, q, h.URL+"/api/v4"+strings.TrimSuffix(q.path, "/2")+"/1")
	q.run("/reopen")
	q.run("/close") // it is no longer closed as a duplicate
	expectDuplicateOf(t, q, "")
	q.run("/reopen")
	said := bodies(read[[]note](t, q.dora.Send("GET", q.path+"/notes?sort=asc&per_page=100", ""), 200))
	for _, text := range []string{
		"changed title from **second** to **Better**", "assigned to @", "made the issue confidential", "closed",
		"reopened", "marked this issue as a duplicate of #1", "changed time estimate to 3h",
	} {
		if !strings.Contains(said, text) {
			t.Errorf("not noted: %s\n%s", text, said)
		}
	}
	if n := count(t, h, "SELECT count(*) FROM events WHERE action = 'closed' AND target_type = 'Issue'"); n != 2 {
		t.Errorf("%d events", n)
	}
}

// expectDuplicateOf checks the issue that an issue is closed as a duplicate of, alone and in a list; empty for none.
func expectDuplicateOf(t *testing.T, q quickActionsIssue, want string) {
	t.Helper()
	type issue struct {
		IID   int64
		Links struct {
			Duplicate string `json:"closed_as_duplicate_of"`
		} `json:"_links"`
	}
	one := read[issue](t, q.dora.Send("GET", q.path, ""), 200)
	all := read[[]issue](t, q.dora.Send("GET", strings.TrimSuffix(q.path, "/2"), ""), 200)
	for _, i := range append(all, one) {
		if i.IID == one.IID && i.Links.Duplicate != want || i.IID != one.IID && i.Links.Duplicate != "" {
			t.Errorf("issue %d is closed as a duplicate of %q, want %q", i.IID, i.Links.Duplicate, want)
		}
	}
	if len(all) != 2 {
		t.Errorf("%d issues", len(all))
	}
}

func TestADuplicateOfAnIssueThatTheCallerCannotSeeIsNotShown(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, visitor := h.NewUser(), h.NewUser()
	secret, open := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID, called("open", model.Public))
	first := fmt.Sprintf("/projects/%d/issues", secret.ID)
	second := fmt.Sprintf("/projects/%d/issues", open.ID)
	for _, path := range []string{first, second} {
		expect(t, owner.JSON("POST", path, `{"title":"it"}`), 201, "")
	}
	expect(t, owner.JSON("POST", second+"/1/notes", `{"body":"/duplicate `+secret.FullPath+`#1"}`), 202, "")
	path := h.URL + "/api/v4" + first + "/1"
	for who, caller := range map[string]*harness.Caller{path: owner, "": visitor} {
		links, _ := member(t, caller.Send("GET", second+"/1", ""), "_links").(map[string]any)
		if got, _ := links["closed_as_duplicate_of"].(string); got != who {
			t.Errorf("%q, want %q", got, who)
		}
	}
}

func expectEverythingSet(t *testing.T, i issueDetails) {
	t.Helper()
	if i.Title != "Better" || !i.Confidential || fmt.Sprint(i.Labels) != "[bug to do]" || i.DueDate == nil ||
		i.Locked == nil || !*i.Locked || i.Milestone == nil || len(i.Assignees) != 2 ||
		i.Times.Estimate != 10800 || i.Times.Spent != 5400 {
		t.Errorf("%+v", i)
	}
}

func expectEverythingRemoved(t *testing.T, i issueDetails) {
	t.Helper()
	if fmt.Sprint(i.Labels) != "[to do]" || i.DueDate != nil || *i.Locked || i.Milestone != nil ||
		len(i.Assignees) != 1 || i.Times.Estimate+i.Times.Spent != 0 {
		t.Errorf("%+v", i)
	}
}

func TestQuickActionsThatCannotBeApplied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	stranger := h.NewUser()
	path := w.onIssue + "/notes"
	say := func(c *harness.Caller, text string) harness.Answer {
		return c.JSON("POST", path, `{"body":`+quoted(text)+`}`)
	}
	for _, text := range []string{"/close", "/label ~x", "/assign me", "/title mine\n/lock", "/spend 1h"} {
		expect(t, say(stranger, text), 400, "")
	}
	for _, text := range []string{
		"/label ~nothing", "/assign @nobody-at-all", "/milestone %none", "/due someday", "/estimate -1h",
		"/spend 1h 2999-01-01", "/spend -1h", "/relate #77", "/relate #1",
		"/copy_metadata !77", "/reopen", "/award tada", "/title " + strings.Repeat("x", 256),
	} {
		expect(t, say(w.owner, text), 400, "")
	}
	if n := count(t, h, "SELECT count(*) FROM notes"); n != 0 {
		t.Errorf("%d notes", n)
	}
	if i := read[issueDetails](t, w.owner.Send("GET", w.onIssue, ""), 200); i.State != "opened" || i.Title != w.issue.Title {
		t.Errorf("%+v", i)
	}
	// Quick actions that can run do run, and the rest of the text is kept. Commands in code blocks are text.
	made := say(w.owner, "Look\n/close\n/label ~nothing\n```\n/reopen\n```\n/nonsense")
	if n := read[note](t, made, 201); n.Body != "Look\n```\n/reopen\n```\n/nonsense" ||
		!strings.Contains(made.Body, `"state_event":"close"`) {
		t.Errorf("%s", made.Body)
	}
	if i := read[issueDetails](t, w.owner.Send("GET", w.onIssue, ""), 200); i.State != "closed" {
		t.Errorf("%+v", i)
	}
	if n := read[note](t, say(stranger, "/tableflip no"), 201); !strings.HasPrefix(n.Body, "no (╯") {
		t.Errorf("%+v", n)
	}
	if n := read[note](t, say(stranger, "/merge"), 201); n.Body != "/merge" {
		t.Errorf("%+v", n)
	}
	// The author may close the issue without a role in the project.
	mine := read[issueDetails](t, stranger.JSON("POST", fmt.Sprintf("/projects/%d/issues", w.project.ID), `{"title":"mine"}`), 201)
	expect(
		t,
		stranger.JSON("POST", fmt.Sprintf("/projects/%d/issues/%d/notes", w.project.ID, mine.IID),
			`{"body":"/close\n/confidential"}`),
		202,
		`{"commands_changes":{"state_event":"close"},"summary":["Closed this issue.","Could not apply /confidential: `+
			`you are not allowed to do that."]}`,
	)
}

func TestQuickActionsOnAMergeRequest(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	w.commit("next", "Next", map[string]string{"n.txt": "n\n"})
	w.commit("a", "A", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("a", "Add a")
	do := func(c *harness.Caller, text string) harness.Answer {
		return c.JSON("POST", w.at(mr.IID, "/notes"), `{"body":`+quoted(text)+`}`)
	}
	expect(t, do(w.developer,
		"/draft\n/assign_reviewer @"+w.reporter.User.Username+"\n/assign me\n/target_branch next\n/estimate 1d"), 202, "")
	got := w.get(mr.IID)
	if !got.Draft || got.Title != "Draft: Add a" || len(got.Reviewers) != 1 || len(got.Assignees) != 1 || got.Target != "next" {
		t.Errorf("%+v", got)
	}
	expect(t, do(w.developer, "/merge"), 400, "")
	expect(t, do(w.developer, "/target_branch nowhere"), 400, `{"message":"Target branch \"nowhere\" does not exist"}`)
	expect(t, do(w.reporter, "/ready"), 400, "")
	expect(t, do(w.reporter, "/approve"), 400, "")
	expect(t, do(w.developer, "/ready\n/unassign_reviewer\n/approve"), 202, "")
	expect(t, do(w.developer, "/approve"), 400, "")
	expect(t, do(w.developer, "/unapprove\n/close"), 202, "")
	if got := w.get(mr.IID); got.Draft || len(got.Reviewers) != 0 || got.State != "closed" {
		t.Errorf("%+v", got)
	}
	expect(t, do(w.developer, "/reopen\n/target_branch main"), 400, "") // the target of a closed merge request cannot change
	expect(t, do(w.developer, "/reopen"), 202, "")
	expect(t, do(w.developer, "/target_branch main"), 202, "")
	expect(t, do(w.reporter, "/merge"), 400, "")
	merged := read[note](t, do(w.maintainer, "Well done\n/merge"), 201)
	if got := w.get(mr.IID); got.State != "merged" || merged.Body != "Well done" {
		t.Errorf("%+v %+v", got, merged)
	}
	expect(t, w.maintainer.Send("GET", w.path+"/repository/files/a.txt?ref=main", ""), 200, "")
	for _, text := range []string{
		"approved this merge request", "marked this merge request as **draft**", "requested review from @", "merged",
	} {
		if !strings.Contains(w.notes(mr.ID), text) {
			t.Errorf("not noted: %s\n%s", text, w.notes(mr.ID))
		}
	}
}

func TestQuickActionsInDescriptions(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	expect(t, w.maintainer.JSON("POST", w.path+"/labels", `{"name":"bug","color":"#ff0000"}`), 201, "")
	made := read[issueDetails](t, w.developer.JSON("POST", w.path+"/issues",
		`{"title":"a","description":"It fails.\n/label ~bug\n/assign me\n/due 2031-01-01\n/todo"}`), 201)
	if made.Description == nil || *made.Description != "It fails.\n" || fmt.Sprint(made.Labels) != "[bug]" ||
		len(made.Assignees) != 1 || made.DueDate == nil {
		t.Errorf("%+v", made)
	}
	// Quick actions that the caller may not run are left out, and the issue is created.
	guest := h.ProjectMember(w.project, model.Guest)
	if got := read[issueDetails](t, guest.JSON("POST", w.path+"/issues", `{"title":"b","description":"Help\n/label ~bug\n/confidential"}`),
		201); len(got.Labels) != 0 || got.Confidential || *got.Description != "Help\n" {
		t.Errorf("%+v", got)
	}
	w.commit("c", "C", map[string]string{"c.txt": "c\n"})
	got := read[mergeRequest](t, w.developer.JSON("POST", w.mrs,
		`{"source_branch":"c","target_branch":"main","title":"C","description":"Closes #1\n/draft\n/label ~bug\n/merge"}`), 201)
	if !got.Draft || len(got.Labels) != 1 || got.State != "opened" {
		t.Errorf("%+v", got)
	}
}
