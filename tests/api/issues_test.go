package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// issue is an issue in a response.
type issue struct {
	ID, IID      int64
	Title        string
	State        string
	Labels       []string
	Confidential bool
	Subscribed   bool
	DueDate      *string `json:"due_date"`
	MovedTo      *int64  `json:"moved_to_id"`
	ClosedAt     *string `json:"closed_at"`
	Blocking     int64   `json:"blocking_issues_count"`
	Notes        int64   `json:"user_notes_count"`
	Author       struct{ Username string }
	Assignees    []struct{ ID int64 }
	Milestone    *struct{ Title string }
	References   struct{ Relative, Full string }
}

// titles returns the titles of the issues in a response, in order.
func titles(t *testing.T, a harness.Answer) string {
	t.Helper()
	var all []string
	for _, i := range read[[]issue](t, a, 200) {
		all = append(all, i.Title)
	}
	return strings.Join(all, " ")
}

// issueFixture is the project acme/web with people of several roles; path is the path of its issues.
type issueFixture struct {
	h                                *harness.H
	project                          model.Project
	owner, guest, reporter, stranger *harness.Caller
	path                             string
}

func newIssueFixture(t *testing.T) issueFixture {
	t.Helper()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	p := h.Project(g.ID, func(p *model.Project) { p.Path, p.Name = "web", "Web" })
	owner, guest, reporter := h.Member(g, model.Owner), h.NewUser(named("gus")), h.NewUser(named("rita"))
	h.JoinProject(p, guest.User, model.Guest)
	h.JoinProject(p, reporter.User, model.Reporter)
	return issueFixture{
		h: h, project: p, owner: owner, guest: guest, reporter: reporter, stranger: h.NewUser(),
		path: fmt.Sprintf("/projects/%d/issues", p.ID),
	}
}

// squeakingDoor opens an issue that has a description, labels, a due date and the guest as the assignee.
func (f issueFixture) squeakingDoor() harness.Answer {
	return f.reporter.JSON("POST", f.path, fmt.Sprintf(
		`{"title":"The door squeaks","description":"- [x] a\n- [ ] b\n<script>alert(1)</script>",`+
			`"labels":"bug,door","assignee_ids":[%d,%d],"due_date":"2030-01-02"}`,
		f.guest.User.ID, f.stranger.User.ID))
}

// expectOpen checks how many open issues a caller is shown in the project.
func (f issueFixture) expectOpen(t *testing.T, c *harness.Caller, want float64) {
	t.Helper()
	shown := read[map[string]any](t, c.Send("GET", fmt.Sprintf("/projects/%d", f.project.ID), ""), 200)
	if n := shown["open_issues_count"]; n != want {
		t.Errorf("%v open issues, want %v", n, want)
	}
}

func TestInvalidIssuesAreRefused(t *testing.T) {
	t.Parallel()
	f := newIssueFixture(t)
	expect(t, f.reporter.JSON("POST", f.path, `{}`), 400, `{"error":"title is missing"}`)
	for _, body := range []string{
		`{"title":"` + strings.Repeat("x", 256) + `"}`,
		`{"title":"x","description":"` + strings.Repeat("x", 1<<20+1) + `"}`,
		`{"title":"x","due_date":"2026-13-01"}`,
		`{"title":"x","labels":["` + strings.Repeat("x", 300) + `"]}`,
		`{"title":"x","labels":"` + strings.Repeat("a,b,", 2500) + `"}`,
	} {
		expect(t, f.reporter.JSON("POST", f.path, body), 400, "")
	}
	expect(t, f.stranger.JSON("POST", f.path, `{"title":"x"}`), 404, "")
	expect(t, f.h.Anonymous().JSON("POST", f.path, `{"title":"x"}`), 401, "")
	f.expectOpen(t, f.owner, 0)
}

func TestIssuesAreOpenedAndRead(t *testing.T) {
	t.Parallel()
	f := newIssueFixture(t)
	made := f.squeakingDoor()
	f.h.Golden("createProjectIssue/issue", made.Body)
	one := read[issue](t, made, 201)
	if one.IID != 1 || strings.Join(one.Labels, " ") != "bug door" || len(one.Assignees) != 1 ||
		one.References.Full != "acme/web#1" || !one.Subscribed {
		t.Errorf("%+v", one)
	}
	f.expectOpen(t, f.guest, 1)
	expect(t, f.guest.Send("GET", fmt.Sprintf("%s/%d", f.path, one.IID), ""), 200, "")
	expect(t, f.guest.Send("GET", f.path+"/99", ""), 404, `{"message":"404 Not found"}`)
	expect(t, f.h.Root().Send("GET", fmt.Sprintf("/issues/%d", one.ID), ""), 200, "")
	expect(t, f.reporter.Send("GET", fmt.Sprintf("/issues/%d", one.ID), ""), 403, "")
}

func TestIssuesAreChanged(t *testing.T) {
	t.Parallel()
	f := newIssueFixture(t)
	path := fmt.Sprintf("%s/%d", f.path, read[issue](t, f.squeakingDoor(), 201).IID)
	changed := read[issue](t, f.reporter.JSON("PUT", path,
		`{"add_labels":"new","remove_labels":"door","title":"It squeaks","due_date":null,"state_event":"close"}`), 200)
	if strings.Join(changed.Labels, " ") != "bug new" || changed.State != "closed" || changed.DueDate != nil ||
		changed.ClosedAt == nil || changed.Title != "It squeaks" {
		t.Errorf("%+v", changed)
	}
	expect(t, f.reporter.JSON("PUT", path, `{}`), 400, "")
	expect(t, f.reporter.JSON("PUT", path, `{"title":" "}`), 400, "")
	reopened := read[issue](t, f.guest.JSON("PUT", path, `{"state_event":"reopen","labels":"mine"}`), 200)
	if reopened.State != "opened" || strings.Join(reopened.Labels, " ") != "bug new" {
		t.Errorf("an assignee may reopen the issue, but not change its labels: %+v", reopened)
	}
	if got := read[issue](t, f.reporter.JSON("PUT", path, `{"assignee_ids":[]}`), 200); len(got.Assignees) != 0 {
		t.Errorf("%+v", got)
	}
	expect(t, f.guest.JSON("PUT", path, `{"title":"x"}`), 403, "")
}

func TestIssuesAreNumberedAndDeleted(t *testing.T) {
	t.Parallel()
	f := newIssueFixture(t)
	path := fmt.Sprintf("%s/%d", f.path, read[issue](t, f.squeakingDoor(), 201).IID)
	expect(t, f.reporter.Send("DELETE", path, ""), 403, "")
	expect(t, f.owner.JSON("POST", f.path, `{"title":"old","iid":7,"created_at":"2020-01-02T03:04:05Z"}`), 201, "")
	expect(t, f.owner.JSON("POST", f.path, `{"title":"old","iid":7}`), 409, "")
	if next := read[issue](t, f.owner.JSON("POST", f.path, `{"title":"next"}`), 201); next.IID != 8 {
		t.Errorf("%+v", next)
	}
	expect(t, f.owner.Send("DELETE", path, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
	expect(t, f.owner.Send("DELETE", path, ""), 204, "")
	expect(t, f.owner.Send("GET", path, ""), 404, "")
	f.expectOpen(t, f.owner, 2)
	if err := f.h.Store.Projects.Update(t.Context(), f.project.ID,
		map[string]any{"issues_access_level": model.FeatureDisabled}); err != nil {
		t.Fatal(err)
	}
	expect(t, f.owner.Send("GET", f.path, ""), 403, "")
}

func TestConfidentialIssuesDoNotLeak(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	p := h.Project(g.ID, func(p *model.Project) { p.Visibility = model.Public })
	reporter, guest, author := h.ProjectMember(p, model.Reporter), h.ProjectMember(p, model.Guest), h.NewUser()
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	open := read[issue](t, reporter.JSON("POST", in, `{"title":"open","labels":"x"}`), 201)
	secret := read[issue](t, author.JSON("POST", in, `{"title":"secret","confidential":true}`), 201)
	expect(t, reporter.JSON("PUT", fmt.Sprintf("%s/%d", in, secret.IID), `{"labels":"x"}`), 200, "")
	link := read[struct{ ID int64 }](t, reporter.JSON("POST", fmt.Sprintf("%s/%d/links", in, open.IID),
		fmt.Sprintf(`{"target_project_id":"%d","target_issue_iid":%d,"link_type":"blocks"}`, p.ID, secret.IID)), 201)
	expect(t, guest.JSON("POST", fmt.Sprintf("%s/%d/todo", in, open.IID), ""), 201, "")

	for who, sees := range map[*harness.Caller]bool{reporter: true, author: true, guest: false, h.NewUser(): false, h.Anonymous(): false} {
		n := 1
		if sees {
			n = 2
		}
		for _, list := range []string{in, fmt.Sprintf("/groups/%d/issues", g.ID), in + "?labels=x", in + "?search=e"} {
			if rows := read[[]issue](t, who.Send("GET", list, ""), 200); len(rows) != n {
				t.Errorf("%s: %s sees %d, want %d", list, who.User.Username, len(rows), n)
			}
		}
		for _, path := range []string{in + "_statistics", fmt.Sprintf("/groups/%d/issues_statistics", g.ID)} {
			if got := who.Send("GET", path, ""); !strings.Contains(got.Body, fmt.Sprintf(`"all":%d`, n)) {
				t.Errorf("%s: %s", path, got.Body)
			}
		}
		status := map[bool]int{true: 200, false: 404}[sees]
		expect(t, who.Send("GET", fmt.Sprintf("%s/%d", in, secret.IID), ""), status, "")
		expect(t, who.Send("GET", fmt.Sprintf("%s/%d/links/%d", in, open.IID, link.ID), ""), status, "")
		if rows := read[[]issue](t, who.Send("GET", fmt.Sprintf("%s/%d/links", in, open.IID), ""), 200); (len(rows) == 1) != sees {
			t.Errorf("links: %+v", rows)
		}
		if got := read[issue](t, who.Send("GET", fmt.Sprintf("%s/%d", in, open.IID), ""), 200); (got.Blocking == 1) != sees {
			t.Errorf("blocking: %+v", got)
		}
		labels := read[[]label](t, who.Send("GET", fmt.Sprintf("/projects/%d/labels?with_counts=true", p.ID), ""), 200)
		if *labels[0].Open != int64(n) {
			t.Errorf("label counts %d", *labels[0].Open)
		}
	}
	for who, want := range map[*harness.Caller]float64{reporter: 2, guest: 1} {
		if n := read[map[string]any](t, who.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), 200)["open_issues_count"]; n != want {
			t.Errorf("%v open, want %v", n, want)
		}
	}
	expect(t, reporter.Send("DELETE", fmt.Sprintf("%s/%d/links/%d", in, open.IID, link.ID), ""), 200, "")
	// When an issue becomes confidential, users who can no longer see it lose its to-do item.
	if rows := read[[]struct{ ID int64 }](t, guest.Send("GET", "/todos", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, reporter.JSON("PUT", fmt.Sprintf("%s/%d", in, open.IID), `{"confidential":true}`), 200, "")
	if rows := read[[]struct{ ID int64 }](t, guest.Send("GET", "/todos", ""), 200); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
}

func TestListsOfIssuesAreFilteredAndSorted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	owner := h.Member(g, model.Owner)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	milestone := read[struct{ ID int64 }](t, owner.JSON("POST", fmt.Sprintf("/projects/%d/milestones", p.ID),
		`{"title":"m","start_date":"2020-01-01","due_date":"2999-01-01"}`), 201)
	expect(t, owner.JSON("POST", in,
		fmt.Sprintf(`{"title":"a","labels":"x,y","assignee_ids":[%d],"due_date":"2020-01-01"}`, owner.User.ID)), 201, "")
	expect(t, owner.JSON("POST", in,
		fmt.Sprintf(`{"title":"b","labels":"x","milestone_id":%d,"description":"needle"}`, milestone.ID)), 201, "")
	expect(t, owner.JSON("POST", in, `{"title":"c","issue_type":"incident"}`), 201, "")
	expect(t, owner.JSON("PUT", in+"/3", `{"state_event":"close"}`), 200, "")
	me := owner.User
	for query, want := range map[string]string{
		"": "c b a", "?sort=asc": "a b c", "?state=opened": "b a", "?state=all": "c b a", "?labels=x,y": "a",
		"?labels=None": "c", "?labels=Any": "b a",
		"?not[labels]=y": "c b", "?milestone=m": "b", "?milestone=None": "c a", "?milestone_id=Upcoming": "b",
		"?milestone_id=Started": "b", "?not[milestone]=m": "c a",
		"?assignee_id=None": "c b", "?assignee_id=Any": "a", fmt.Sprintf("?assignee_id=%d", me.ID): "a",
		"?assignee_username[]=" + me.Username:    "a",
		"?not[assignee_username]=" + me.Username: "c b", "?author_username=" + me.Username: "c b a",
		"?author_username=nobody": "", fmt.Sprintf("?not[author_id]=%d", me.ID): "",
		"?search=needle": "b", "?search=needle&in=title": "", "?search=NEEDLE&in=title,description": "b",
		"?iids[]=1&iids[]=3": "c a", "?not[iids]=1": "c b",
		"?order_by=title&sort=asc": "a b c", "?order_by=due_date&sort=asc": "a b c",
		"?order_by=relative_position&sort=asc": "a b c", "?order_by=popularity": "c b a",
		"?order_by=label_priority": "c b a", "?order_by=priority&sort=asc": "b a c", "?order_by=milestone_due": "b c a",
		"?order_by=updated_at": "c b a", "?due_date=overdue": "a", "?due_date=0": "c b", "?issue_type=incident": "c",
		"?scope=assigned_to_me": "a", "?scope=created-by-me": "c b a", "?my_reaction_emoji=None": "c b a",
		"?my_reaction_emoji=tada": "", "?confidential=true": "",
		"?created_after=2999-01-01T00:00:00Z": "", "?updated_before=2999-01-01T00:00:00Z": "c b a", "?per_page=1&page=2": "b",
	} {
		if got := titles(t, owner.Send("GET", in+query, "")); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, bad := range []string{"?order_by=password", "?state=x", "?assignee_id=x';--", "?due_date=now", "?milestone=m&milestone_id=Any"} {
		expect(t, owner.Send("GET", in+bad, ""), 400, "")
	}
	if got := titles(t, owner.Send("GET", "/issues?scope=all", "")); got != "c b a" {
		t.Errorf("%s", got)
	}
	expect(t, h.Anonymous().Send("GET", "/issues", ""), 401, "")
	if got := owner.Send("GET", "/issues_statistics", ""); !strings.Contains(got.Body, `{"all":3,"closed":1,"opened":2}`) {
		t.Errorf("%s", got.Body)
	}
	if got := titles(t, h.NewUser().Send("GET", "/issues?scope=all", "")); got != "" {
		t.Errorf("a stranger sees %s", got)
	}
	if got := owner.Send("GET", in+"?with_labels_details=true&iids[]=1", ""); !strings.Contains(got.Body, `"name":"x"`) {
		t.Errorf("%s", got.Body)
	}
}

func TestAListOfIssuesTakesFewStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	for i := range 25 {
		expect(t, owner.JSON("POST", in,
			fmt.Sprintf(`{"title":"i%d","labels":"a,b,l%d","assignee_ids":[%d]}`, i, i, owner.User.ID)), 201, "")
	}
	scope := store.IssuableScope{ProjectID: &p.ID, Role: model.Owner, Reader: &store.Reader{UserID: owner.User.ID}}
	before := h.Store.Statements()
	rows, _, err := h.Store.Issues.List(t.Context(), scope, store.IssueFilter{}, store.Page{Limit: 20})
	if n := h.Store.Statements() - before; err != nil || len(rows) != 20 || n > 5 {
		t.Errorf("%d rows took %d statements: %v", len(rows), n, err)
	}
}

func TestIssuesAreMovedClonedAndReordered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p, other := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	var ids []int64
	for _, name := range []string{"a", "b", "c"} {
		ids = append(ids, read[issue](t, owner.JSON("POST", in, `{"title":"`+name+`","labels":"x"}`), 201).ID)
	}
	order := func() string { return titles(t, owner.Send("GET", in+"?order_by=relative_position&sort=asc", "")) }
	expect(t, owner.JSON("PUT", in+"/3/reorder", fmt.Sprintf(`{"move_after_id":%d}`, ids[0])), 200, "")
	if got := order(); got != "a c b" {
		t.Errorf("%s", got)
	}
	for range 25 { // until there is no room between two positions
		expect(t, owner.JSON("PUT", in+"/2/reorder", fmt.Sprintf(`{"move_before_id":%d}`, ids[2])), 200, "")
		expect(t, owner.JSON("PUT", in+"/3/reorder", fmt.Sprintf(`{"move_before_id":%d}`, ids[1])), 200, "")
	}
	if got := order(); got != "a c b" {
		t.Errorf("%s", got)
	}
	expect(t, owner.JSON("PUT", in+"/3/reorder", `{}`), 400, "")
	expect(t, owner.JSON("PUT", in+"/3/reorder", `{"move_after_id":999999}`), 404, "")

	moved := read[issue](t, owner.JSON("POST", in+"/1/move", fmt.Sprintf(`{"to_project_id":%d}`, other.ID)), 201)
	if moved.Title != "a" || moved.State != "opened" || len(moved.Labels) != 0 {
		t.Errorf("%+v", moved)
	}
	if old := read[issue](t, owner.Send("GET", in+"/1", ""), 200); old.State != "closed" || old.MovedTo == nil || *old.MovedTo != moved.ID {
		t.Errorf("%+v", old)
	}
	expect(t, owner.JSON("POST", in+"/1/move", fmt.Sprintf(`{"to_project_id":%d}`, p.ID)), 400, "")
	expect(t, owner.JSON("POST", in+"/2/move", `{"to_project_id":999999}`), 404, "")
	id := ids[1]
	if err := h.Store.Notes.Add(t.Context(), &model.Note{
		ProjectID: p.ID, NoteableType: model.OnIssue, NoteableID: &id, AuthorID: owner.User.ID, Body: "hello",
	}); err != nil {
		t.Fatal(err)
	}
	cloned := read[issue](t, owner.JSON("POST", in+"/2/clone", fmt.Sprintf(`{"to_project_id":%d,"with_notes":true}`, other.ID)), 201)
	if cloned.Title != "b" || cloned.Notes != 1 {
		t.Errorf("%+v", cloned)
	}
}

func TestTimeAndSubscriptionsOfIssues(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, dev, guest := h.NewUser(), h.NewUser(), h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	h.JoinProject(p, dev.User, model.Developer)
	h.JoinProject(p, guest.User, model.Guest)
	one := fmt.Sprintf("/projects/%d/issues/1", p.ID)
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues", p.ID),
		fmt.Sprintf(`{"title":"a","assignee_ids":[%d]}`, dev.User.ID)), 201, "")

	expect(t, guest.Send("POST", one+"/subscribe", ""), 201, "")
	expect(t, guest.Send("POST", one+"/subscribe", ""), 304, "")
	expect(t, guest.Send("POST", one+"/unsubscribe", ""), 201, "")
	expect(t, guest.Send("POST", one+"/unsubscribe", ""), 304, "")
	expect(t, owner.Send("POST", one+"/subscribe", ""), 304, "")
	if people := read[[]struct{ ID int64 }](t, guest.Send("GET", one+"/participants", ""), 200); len(people) != 2 {
		t.Errorf("%+v", people)
	}

	expect(t, dev.JSON("POST", one+"/time_estimate", `{"duration":"3h30m"}`), 200,
		`{"time_estimate":12600,"total_time_spent":0,"human_time_estimate":"3h 30m","human_total_time_spent":null}`)
	expect(t, dev.JSON("POST", one+"/add_spent_time", `{"duration":"1h","summary":"oil"}`), 201, "")
	expect(t, dev.JSON("POST", one+"/add_spent_time", `{"duration":"-2h"}`), 400, "")
	expect(t, dev.JSON("POST", one+"/add_spent_time", `{"duration":"soon"}`), 400, `{"error":"duration is invalid"}`)
	expect(t, guest.JSON("POST", one+"/add_spent_time", `{"duration":"1h"}`), 403, "")
	expect(t, guest.Send("GET", one+"/time_stats", ""), 200,
		`{"time_estimate":12600,"total_time_spent":3600,"human_time_estimate":"3h 30m","human_total_time_spent":"1h"}`)
	expect(t, dev.Send("POST", one+"/reset_spent_time", ""), 200, "")
	expect(t, dev.Send("POST", one+"/reset_time_estimate", ""), 200,
		`{"time_estimate":0,"total_time_spent":0,"human_time_estimate":null,"human_total_time_spent":null}`)
}

func TestItemsOfDeletedUsersBelongToTheGhostUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	for _, hard := range []bool{false, true} {
		writer := h.ProjectMember(p, model.Reporter)
		made := read[issue](t, writer.JSON("POST", in, `{"title":"mine"}`), 201)
		expect(t, h.Root().Send("DELETE", fmt.Sprintf("/users/%d?hard_delete=%v", writer.User.ID, hard), ""), 204, "")
		path := fmt.Sprintf("%s/%d", in, made.IID)
		what := "the issue belongs to the ghost user"
		if hard {
			what = "the issue is deleted"
		}
		wait.Until(t, what, func() bool {
			got := owner.Send("GET", path, "")
			return hard && got.Status == 404 || !hard && got.Status == 200 && read[issue](t, got, 200).Author.Username == "ghost"
		})
	}
	if n := read[map[string]any](t, owner.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), 200)["open_issues_count"]; n != 1.0 {
		t.Errorf("%v open issues", n)
	}
}

func TestLinksDoNotRevealHiddenIssues(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p, private := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public }),
		h.Project(*owner.User.NamespaceID)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	expect(t, owner.JSON("POST", in, `{"title":"open"}`), 201, "")
	expect(t, owner.JSON("POST", in, `{"title":"secret","confidential":true}`), 201, "")
	expect(t, owner.JSON("POST", in, `{"title":"plain"}`), 201, "")
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues", private.ID), `{"title":"elsewhere"}`), 201, "")
	for _, to := range []string{
		fmt.Sprintf("%d&target_issue_iid=2", p.ID), fmt.Sprintf("%d&target_issue_iid=1", private.ID),
		fmt.Sprintf("%d&target_issue_iid=3", p.ID),
	} {
		expect(t, owner.Send("POST", in+"/1/links?target_project_id="+to, ""), 201, "")
	}
	notes := h.NewUser().Send("GET", in+"/1/notes", "")
	if expect(t, notes, 200, ""); strings.Contains(notes.Body, "#2") || strings.Contains(notes.Body, private.Path) ||
		strings.Count(notes.Body, "another issue") != 2 || !strings.Contains(notes.Body, "related to #3") {
		t.Error(notes.Body)
	}
}

func TestAnIssueHasAWeightOnPaidTiers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	reporter, guest := h.Member(g, model.Reporter), h.Member(g, model.Guest)
	all := fmt.Sprintf("/projects/%d/issues", p.ID)
	type weighed struct {
		IID    int64
		Weight *int64
	}
	weight := func(c *harness.Caller, body string, want string) {
		t.Helper()
		row := read[map[string]any](t, c.JSON("PUT", all+"/1", body), 200)
		if got, there := row["weight"]; !there || fmt.Sprint(got) != want {
			t.Errorf("%s: the weight is %v", body, got)
		}
	}
	made := read[weighed](t, reporter.JSON("POST", all, `{"title":"One","weight":3}`), 201)
	if made.Weight == nil || *made.Weight != 3 {
		t.Errorf("%+v", made)
	}
	weight(reporter, `{"weight":0}`, "0")
	weight(reporter, `{"weight":5}`, "5")
	weight(reporter, `{"title":"Two"}`, "5")
	weight(reporter, `{"weight":null}`, "<nil>")
	expect(t, reporter.JSON("PUT", all+"/1", `{"weight":-1}`), 400, "")
	expect(t, reporter.JSON("PUT", all+"/1", `{"weight":"heavy"}`), 400, `{"error":"weight is invalid"}`)
	expect(t, guest.JSON("PUT", all+"/1", `{"weight":4}`), 403, "")
	if row := read[weighed](t, guest.JSON("POST", all, `{"title":"Mine","weight":3}`), 201); row.Weight != nil {
		t.Errorf("a guest gave the weight %d", *row.Weight)
	}
	expect(t, h.NewUser().JSON("PUT", all+"/1", `{"weight":4}`), 404, "")

	h = harness.New(t, free)
	p = h.Project(h.Group().ID)
	all = fmt.Sprintf("/projects/%d/issues", p.ID)
	if a := h.Root().JSON("POST", all, `{"title":"One","weight":3}`); a.Status != 201 || strings.Contains(a.Body, "weight") {
		t.Errorf("on free: %d %s", a.Status, a.Body)
	}
	if a := h.Root().JSON("PUT", all+"/1", `{"weight":3}`); a.Status != 400 {
		t.Errorf("on free: %d %s", a.Status, a.Body)
	}
}
