package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// epicIssue is what the tests read of an issue of an epic.
type epicIssue struct {
	ID, IID    int64
	Title      string
	Assignment int64  `json:"epic_issue_id"`
	EpicIID    *int64 `json:"epic_iid"`
	Epic       *struct {
		ID, IID    int64
		Title, URL string
	}
}

func issueTitles(rows []epicIssue) string {
	out := make([]string, len(rows))
	for i, e := range rows {
		out[i] = e.Title
	}
	return strings.Join(out, " ")
}

// epicWorld is a group with an epic, a project and its issues one, two and three.
type epicWorld struct {
	h        *harness.H
	group    model.Namespace
	project  model.Project
	reporter *harness.Caller
	in       string // the path of the epics
	epic     epic
	issues   []epicIssue
	ofIssues string // the path of the issues of the project
}

func newEpicWorld(t *testing.T) *epicWorld {
	t.Helper()
	h := harness.New(t)
	w := &epicWorld{h: h, group: h.Group(func(g *model.Namespace) { g.Visibility = model.Public })}
	w.project = h.Project(w.group.ID, func(p *model.Project) { p.Visibility = model.Public })
	w.reporter = h.Member(w.group, model.Reporter)
	w.in, w.ofIssues = fmt.Sprintf("/groups/%d/epics", w.group.ID), fmt.Sprintf("/projects/%d/issues", w.project.ID)
	w.epic = read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"Doors"}`), 201)
	for _, title := range []string{"one", "two", "three"} {
		w.issues = append(w.issues, read[epicIssue](t, w.reporter.JSON("POST", w.ofIssues, `{"title":"`+title+`"}`), 201))
	}
	return w
}

func (w *epicWorld) assign(t *testing.T, issue epicIssue) int64 {
	t.Helper()
	made := read[struct {
		ID    int64
		Epic  epic
		Issue epicIssue
	}](t, w.reporter.Send("POST", fmt.Sprintf("%s/1/issues/%d", w.in, issue.ID), ""), 201)
	if made.Epic.ID != w.epic.ID || made.Issue.ID != issue.ID || made.Issue.Epic == nil || made.Issue.Epic.ID != w.epic.ID {
		t.Errorf("%+v", made)
	}
	return made.ID
}

func TestIssuesAreAssignedToEpicsAndOrdered(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	var ids []int64
	for _, i := range w.issues {
		ids = append(ids, w.assign(t, i))
	}
	of := w.in + "/1/issues"
	list := func() string { return issueTitles(read[[]epicIssue](t, w.reporter.Send("GET", of, ""), 200)) }
	if got := list(); got != "one two three" {
		t.Error(got)
	}
	expect(t, w.reporter.Send("POST", fmt.Sprintf("%s/%d", of, w.issues[0].ID), ""), 409, "")
	moved := w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), fmt.Sprintf(`{"move_before_id":%d}`, ids[0]))
	if got := issueTitles(read[[]epicIssue](t, moved, 200)); got != "three one two" {
		t.Error(got)
	}
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), fmt.Sprintf(`{"move_after_id":%d}`, ids[0])), 200, "")
	if got := list(); got != "one three two" {
		t.Error(got)
	}
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), `{}`), 400, "")
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), `{"move_after_id":999999}`), 404, "")
	expect(t, w.reporter.JSON("PUT", of+"/999999", fmt.Sprintf(`{"move_after_id":%d}`, ids[0])), 404, "")
	page := w.reporter.Send("GET", of+"?per_page=1&page=2", "")
	if got := issueTitles(read[[]epicIssue](t, page, 200)); got != "three" || page.Header.Get("X-Total") != "3" {
		t.Errorf("%s %v", got, page.Header)
	}
	expect(t, w.reporter.Send("DELETE", fmt.Sprintf("%s/%d", of, ids[1]), ""), 200, "")
	expect(t, w.reporter.Send("DELETE", fmt.Sprintf("%s/%d", of, ids[1]), ""), 404, "")
	if got := list(); got != "one three" {
		t.Error(got)
	}
	notes := w.reporter.Send("GET", w.ofIssues+"/2/notes", "").Body
	for _, text := range []string{"added this issue to epic " + w.group.FullPath, "removed this issue from epic " + w.group.FullPath} {
		if !strings.Contains(notes, text) {
			t.Errorf("no note says %q: %s", text, notes)
		}
	}
	// Deleting the epic leaves the issues.
	expect(t, w.h.Root().Send("DELETE", w.in+"/1", ""), 204, "")
	if got := read[epicIssue](t, w.reporter.Send("GET", w.ofIssues+"/1", ""), 200); got.Epic != nil || got.EpicIID != nil {
		t.Errorf("%+v", got)
	}
}

func TestAssigningIssuesRequiresARoleInBothPlaces(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	path := fmt.Sprintf("%s/1/issues/%d", w.in, w.issues[0].ID)
	for _, c := range []struct {
		name string
		by   *harness.Caller
		want int
	}{
		{"anonymous", w.h.Anonymous(), 401},
		{"outsider", w.h.NewUser(), 403},
		{"guest", w.h.Member(w.group, model.Guest), 403},
		{"reporter of the project", w.h.ProjectMember(w.project, model.Reporter), 403},
		{"reporter of the group", w.h.Member(w.group, model.Reporter), 201},
	} {
		expect(t, c.by.Send("POST", path, ""), c.want, "")
	}
	other := w.h.Project(w.h.Group().ID)
	root := w.h.Root()
	hidden := read[epicIssue](t, root.JSON("POST", fmt.Sprintf("/projects/%d/issues", other.ID), `{"title":"hidden"}`), 201)
	expect(t, w.reporter.Send("POST", fmt.Sprintf("%s/1/issues/%d", w.in, hidden.ID), ""), 404, `{"message":"404 Not found"}`)
	expect(t, w.reporter.Send("POST", w.in+"/1/issues/999999", ""), 404, `{"message":"404 Not found"}`)
	public := w.h.Project(w.h.Group(func(g *model.Namespace) { g.Visibility = model.Public }).ID,
		func(p *model.Project) { p.Visibility = model.Public })
	seen := read[epicIssue](t, root.JSON("POST", fmt.Sprintf("/projects/%d/issues", public.ID), `{"title":"seen"}`), 201)
	expect(t, w.reporter.Send("POST", fmt.Sprintf("%s/1/issues/%d", w.in, seen.ID), ""), 403, "")
	// Issues that a reader does not see are not listed.
	expect(t, root.Send("POST", fmt.Sprintf("%s/1/issues/%d", w.in, hidden.ID), ""), 201, "")
	if got := issueTitles(read[[]epicIssue](t, w.reporter.Send("GET", w.in+"/1/issues", ""), 200)); got != "one" {
		t.Error(got)
	}
	if got := issueTitles(read[[]epicIssue](t, root.Send("GET", w.in+"/1/issues", ""), 200)); got != "one hidden" {
		t.Error(got)
	}
}

func TestIssuesAcceptAnEpic(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	second := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"Gates"}`), 201)
	made := read[epicIssue](t, w.reporter.JSON("POST", w.ofIssues, fmt.Sprintf(`{"title":"new","epic_id":%d}`, w.epic.ID)), 201)
	if made.Epic == nil || made.Epic.Title != "Doors" || made.EpicIID == nil || *made.EpicIID != 1 ||
		made.Epic.URL != "/groups/"+w.group.FullPath+"/-/epics/1" {
		t.Errorf("%+v", made)
	}
	path := fmt.Sprintf("%s/%d", w.ofIssues, made.IID)
	moved := read[epicIssue](t, w.reporter.JSON("PUT", path, fmt.Sprintf(`{"epic_id":%d}`, second.ID)), 200)
	if moved.Epic == nil || moved.Epic.ID != second.ID {
		t.Errorf("%+v", moved)
	}
	expect(t, w.reporter.JSON("PUT", path, `{"epic_id":999999}`), 404, "")
	// Users who may not change epics of the group change nothing.
	inProject := w.h.ProjectMember(w.project, model.Reporter)
	expect(t, inProject.JSON("PUT", path, `{"epic_id":null}`), 403, "")
	expect(t, inProject.JSON("PUT", path, `{"title":"renamed","epic_id":0}`), 403, "")
	expect(t, inProject.JSON("POST", w.ofIssues, fmt.Sprintf(`{"title":"x","epic_id":%d}`, second.ID)), 403, "")
	guest := read[epicIssue](t, w.h.Member(w.group, model.Guest).
		JSON("POST", w.ofIssues, fmt.Sprintf(`{"title":"guest","epic_id":%d}`, second.ID)), 201)
	got := read[epicIssue](t, w.reporter.Send("GET", path, ""), 200)
	if got.Title != "new" || got.Epic.ID != second.ID || guest.Epic != nil {
		t.Errorf("%+v %+v", got, guest)
	}
	if got := read[epicIssue](t, w.reporter.JSON("PUT", path, `{"epic_id":0}`), 200); got.Epic != nil {
		t.Errorf("%+v", got)
	}
}

func TestConfidentialEpicsStayHidden(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	secret := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"Secret","confidential":true}`), 201)
	path := fmt.Sprintf("%s/%d/issues/", w.in, secret.IID)
	expect(t, w.reporter.Send("POST", fmt.Sprint(path, w.issues[0].ID), ""), 400, "")
	expect(t, w.reporter.JSON("PUT", w.ofIssues+"/1", fmt.Sprintf(`{"epic_id":%d}`, secret.ID)), 400, "")
	expect(t, w.reporter.JSON("PUT", w.ofIssues+"/1", fmt.Sprintf(`{"epic_id":%d,"confidential":true}`, secret.ID)), 200, "")
	expect(t, w.reporter.JSON("PUT", w.ofIssues+"/1", `{"confidential":false}`), 200, "")
	guest := w.h.Member(w.group, model.Guest)
	if got := read[epicIssue](t, guest.Send("GET", w.ofIssues+"/1", ""), 200); got.Epic != nil || got.EpicIID != nil {
		t.Errorf("%+v", got)
	}
	if notes := guest.Send("GET", w.ofIssues+"/1/notes", "").Body; strings.Contains(notes, "&") || !strings.Contains(notes, "to an epic") {
		t.Error(notes)
	}
	expect(t, guest.Send("GET", strings.TrimSuffix(path, "/"), ""), 404, "")
	// An epic with public parts cannot become confidential.
	w.assign(t, w.issues[1])
	expect(t, w.reporter.JSON("PUT", w.in+"/1", `{"confidential":true}`), 400, "")
	if got := read[epic](t, guest.Send("GET", w.in+"/1", ""), 200); got.Confidential {
		t.Errorf("%+v", got)
	}
}

func TestEpicsInheritDatesFromMilestonesAndChildren(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	milestone := func(body string) int64 {
		return read[epic](t, w.reporter.JSON("POST", fmt.Sprintf("/groups/%d/milestones", w.group.ID), body), 201).ID
	}
	early := milestone(`{"title":"early","start_date":"2030-01-01","due_date":"2030-02-01"}`)
	late := milestone(`{"title":"late","start_date":"2030-03-01","due_date":"2030-04-01"}`)
	expect(t, w.reporter.JSON("PUT", w.ofIssues+"/1", fmt.Sprintf(`{"milestone_id":%d,"epic_id":%d}`, early, w.epic.ID)), 200, "")
	dates := func(iid int64, start, due string) {
		t.Helper()
		got := read[epic](t, w.reporter.Send("GET", fmt.Sprintf("%s/%d", w.in, iid), ""), 200)
		if !isDay(got.StartDate, start) || !isDay(got.DueDate, due) {
			t.Errorf("epic %d lasts from %v to %v", iid, *got.StartDate, *got.DueDate)
		}
	}
	dates(1, "2030-01-01", "2030-02-01")
	child := read[epic](t, w.reporter.JSON("POST", w.in+"/1/epics", `{"title":"child"}`), 201)
	expect(t, w.reporter.JSON("PUT", w.ofIssues+"/2", fmt.Sprintf(`{"milestone_id":%d,"epic_id":%d}`, late, child.ID)), 200, "")
	dates(child.IID, "2030-03-01", "2030-04-01")
	dates(1, "2030-01-01", "2030-04-01")
	fixed := `{"due_date_is_fixed":true,"due_date_fixed":"2031-01-01"}`
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", w.in, child.IID), fixed), 200, "")
	dates(1, "2030-01-01", "2031-01-01")
}
