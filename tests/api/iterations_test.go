package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/iteration"
	"svc/store/model"
	"svc/tests/harness"
)

// sprint is an iteration as the API shows it.
type sprint struct {
	ID, IID, Sequence int64
	GroupID           int64 `json:"group_id"`
	Title             *string
	State             int64
	StartDate         string `json:"start_date"`
	DueDate           string `json:"due_date"`
	WebURL            string `json:"web_url"`
}

// newSprint makes an iteration that begins and ends some days from now.
func newSprint(t *testing.T, h *harness.H, g model.Namespace, title string, from, to int) model.Iteration {
	t.Helper()
	today := time.Now().UTC().Truncate(day)
	start, due := today.AddDate(0, 0, from), today.AddDate(0, 0, to)
	made, err := iteration.New(h.Store).Create(t.Context(), g, iteration.Input{Title: title, StartDate: &start, DueDate: &due})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func sprintTitles(rows []sprint) string {
	var all []string
	for _, row := range rows {
		if row.Title == nil {
			all = append(all, "-")
			continue
		}
		all = append(all, *row.Title)
	}
	return strings.Join(all, ",")
}

func TestTheIterationsOfGroupsAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("acme"), seen(model.Private))
	group := h.Group(at("tools"), seen(model.Private), func(g *model.Namespace) { g.ParentID = &top.ID })
	p := h.Project(group.ID, called("web", model.Private))
	newSprint(t, h, group, "Later", 10, 20)
	now := newSprint(t, h, group, "Now", 0, 9)
	newSprint(t, h, group, "", -20, -1)
	newSprint(t, h, top, "Year", -100, 100)
	member := h.Member(top, model.Guest)
	path, inProject := fmt.Sprintf("/groups/%d/iterations", group.ID), fmt.Sprintf("/projects/%d/iterations", p.ID)
	for query, want := range map[string]string{
		"": "Year,-,Now,Later", "?state=all": "Year,-,Now,Later", "?state=opened": "Year,Now,Later", "?state=upcoming": "Later",
		"?state=current": "Year,Now", "?state=closed": "-", "?search=OW": "Now", "?include_ancestors=false": "-,Now,Later",
		"?per_page=1&page=3": "Now", "?updated_after=2100-01-01T00:00:00Z": "", "?updated_before=2100-01-01T00:00:00Z": "Year,-,Now,Later",
	} {
		if got := sprintTitles(read[[]sprint](t, member.Send("GET", path+query, ""), 200)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	rows := read[[]sprint](t, member.Send("GET", inProject, ""), 200)
	if sprintTitles(rows) != "Year,-,Now,Later" {
		t.Errorf("%+v", rows)
	}
	if one := rows[2]; one.ID != now.ID || one.IID != 2 || one.Sequence != 2 || one.GroupID != group.ID || one.State != 2 ||
		one.WebURL != fmt.Sprintf("%s/groups/acme/tools/-/iterations/%d", h.URL, now.ID) ||
		one.StartDate != now.StartDate.Format(time.DateOnly) || one.DueDate != now.DueDate.Format(time.DateOnly) {
		t.Errorf("%+v", one)
	}
	own := h.Project(*member.User.NamespaceID)
	expect(t, member.Send("GET", fmt.Sprintf("/projects/%d/iterations", own.ID), ""), 200, "[]")
	expect(t, member.Send("GET", path+"?state=odd", ""), 400, "")
	for _, outsider := range []*harness.Caller{h.NewUser(), h.Anonymous()} {
		expect(t, outsider.Send("GET", path, ""), 404, `{"message":"404 Group Not Found"}`)
		expect(t, outsider.Send("GET", inProject, ""), 404, `{"message":"404 Project Not Found"}`)
	}
}

func TestIssuesHaveIterations(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Public))
	p := h.Project(group.ID, called("web", model.Public))
	one, two := newSprint(t, h, group, "One", 0, 6), newSprint(t, h, group, "Two", 7, 13)
	foreign := newSprint(t, h, h.Group(at("other")), "Foreign", 0, 6)
	reporter, guest := h.ProjectMember(p, model.Reporter), h.ProjectMember(p, model.Guest)
	issues := fmt.Sprintf("/projects/%d/issues", p.ID)
	type withSprint struct {
		IID       int64
		Iteration *sprint
	}
	made := read[withSprint](t, reporter.JSON("POST", issues, fmt.Sprintf(`{"title":"a","iteration_id":%d}`, one.ID)), 201)
	if made.Iteration == nil || made.Iteration.ID != one.ID {
		t.Errorf("%+v", made)
	}
	plain := read[withSprint](t, guest.JSON("POST", issues, fmt.Sprintf(`{"title":"b","iteration_id":%d}`, one.ID)), 201)
	if plain.Iteration != nil {
		t.Errorf("a guest set the iteration: %+v", plain)
	}
	path := fmt.Sprintf("%s/%d", issues, made.IID)
	bad := `{"message":{"iteration_id":["is invalid"]}}`
	expect(t, reporter.JSON("PUT", path, fmt.Sprintf(`{"iteration_id":%d}`, foreign.ID)), 400, bad)
	expect(t, reporter.JSON("PUT", path, `{"iteration_id":999999}`), 400, bad)
	expect(t, reporter.JSON("POST", issues, fmt.Sprintf(`{"title":"c","iteration_id":%d}`, foreign.ID)), 400, bad)
	changed := read[withSprint](t, reporter.JSON("PUT", path, fmt.Sprintf(`{"iteration_id":%d}`, two.ID)), 200)
	if changed.Iteration == nil || changed.Iteration.ID != two.ID {
		t.Errorf("%+v", changed)
	}
	for query, want := range map[string]string{
		fmt.Sprintf("iteration_id=%d", two.ID): "1", fmt.Sprintf("iteration_id=%d", one.ID): "", "iteration_id=None": "2",
		"iteration_id=Any": "1", "iteration_title=Two": "1", "iteration_title=One": "",
	} {
		var found []string
		for _, row := range read[[]withSprint](t, reporter.Send("GET", issues+"?"+query, ""), 200) {
			found = append(found, fmt.Sprint(row.IID))
		}
		if got := strings.Join(found, ","); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	expect(t, reporter.Send("GET", issues+"?iteration_id=x", ""), 400, "")
	expect(t, reporter.JSON("POST", path+"/notes", `{"body":"/remove_iteration"}`), 202, "")
	expect(t, reporter.JSON("POST", path+"/notes", fmt.Sprintf(`{"body":"/iteration *iteration:%d"}`, one.ID)), 202, "")
	expect(t, reporter.JSON("POST", path+"/notes", fmt.Sprintf(`{"body":"/iteration %d"}`, foreign.ID)), 400, "")
	expect(t, reporter.JSON("PUT", path, `{"iteration_id":null}`), 200, "")
	type event struct {
		ID        int64
		Action    string
		Iteration *sprint
	}
	events := read[[]event](t, guest.Send("GET", path+"/resource_iteration_events", ""), 200)
	var said []string
	for _, e := range events {
		said = append(said, e.Action+" "+*e.Iteration.Title)
	}
	if got := strings.Join(said, ","); got != "add One,remove One,add Two,remove Two,add One,remove One" {
		t.Errorf("%s", got)
	}
	first := fmt.Sprintf("%s/resource_iteration_events/%d", path, events[0].ID)
	if got := read[event](t, guest.Send("GET", first, ""), 200); got.ID != events[0].ID || got.Action != "add" {
		t.Errorf("%+v", got)
	}
	expect(t, guest.Send("GET", path+"/resource_iteration_events/999999", ""), 404, `{"message":"404 Not found"}`)
	expect(t, h.Anonymous().Send("GET", path+"/resource_iteration_events", ""), 401, "")
	if err := iteration.New(h.Store).Delete(t.Context(), group, one); err != nil {
		t.Fatal(err)
	}
	if got := read[event](t, guest.Send("GET", first, ""), 200); got.Iteration != nil {
		t.Errorf("%+v", got)
	}
}
