package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// epic is what the tests read of an epic.
type epic struct {
	ID, IID      int64
	GroupID      int64 `json:"group_id"`
	Title, State string
	Description  *string
	Confidential bool
	Labels       []string
	Color        string
	ParentID     *int64  `json:"parent_id"`
	StartDate    *string `json:"start_date"`
	DueDate      *string `json:"due_date"`
	ClosedAt     *string `json:"closed_at"`
	WebURL       string  `json:"web_url"`
	References   struct{ Short, Relative, Full string }
	Author       struct{ Username string }
}

func epicTitles(rows []epic) string {
	out := make([]string, len(rows))
	for i, e := range rows {
		out[i] = e.Title
	}
	return strings.Join(out, " ")
}

// withoutName returns an answer with a fixed name instead of that of the caller, which depends on the other tests.
func withoutName(c *harness.Caller, body string) string {
	return strings.NewReplacer(c.User.Username, "ada", c.User.Name, "Ada").Replace(body)
}

func isDay(got *string, want string) bool { return got != nil && *got == want }

func TestEpicsAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	reporter, guest, owner := h.Member(g, model.Reporter), h.Member(g, model.Guest), h.Member(g, model.Owner)
	in := fmt.Sprintf("/groups/%d/epics", g.ID)
	expect(t, reporter.Send("GET", in, ""), 200, "[]")
	made := reporter.JSON("POST", in, `{"title":" Doors ","description":"All of them","labels":"hardware,big","color":"#fff",
		"start_date_is_fixed":true,"start_date_fixed":"2030-01-02","due_date_fixed":"2030-03-04"}`)
	one := read[epic](t, made, 201)
	h.Golden("createGroupEpic/epic", withoutName(reporter, made.Body))
	if one.IID != 1 || one.Title != "Doors" || one.Color != "#ffffff" || strings.Join(one.Labels, ",") != "big,hardware" ||
		!isDay(one.StartDate, "2030-01-02") || one.DueDate != nil || one.References.Full != g.FullPath+"&1" {
		t.Errorf("%+v", one)
	}
	if labels := reporter.Send("GET", fmt.Sprintf("/groups/%d/labels", g.ID), ""); !strings.Contains(labels.Body, `"hardware"`) {
		t.Error(labels.Body)
	}
	path := in + "/1"
	expect(t, guest.Send("GET", path, ""), 200, "")
	for body, want := range map[string]int{
		`{"title":" "}`: 400, `{}`: 400, `{"title":"x","color":"plaid"}`: 400, `{"title":"x","start_date_fixed":"2030-02-31"}`: 400,
		`{"title":"x","parent_id":999999}`: 404, `{"title":"x","labels":["a,b"]}`: 201,
	} {
		expect(t, reporter.JSON("POST", in, body), want, "")
	}
	expect(t, guest.JSON("POST", in, `{"title":"x"}`), 403, "")
	expect(t, reporter.JSON("PUT", path, `{}`), 400, "")
	expect(t, reporter.JSON("PUT", path, `{"title":" "}`), 400, "")
	expect(t, guest.JSON("PUT", path, `{"title":"x"}`), 403, "")
	if got := read[epic](t, reporter.Send("GET", path, ""), 200); got.Title != "Doors" {
		t.Errorf("%+v", got)
	}
	changed := read[epic](t, reporter.JSON("PUT", path, `{"title":"Gates","description":null,"add_labels":"new","remove_labels":"big",
		"state_event":"close","due_date_is_fixed":true,"confidential":true,"color":"red"}`), 200)
	if changed.Title != "Gates" || changed.Description != nil || strings.Join(changed.Labels, ",") != "hardware,new" ||
		changed.State != "closed" || changed.ClosedAt == nil || !isDay(changed.DueDate, "2030-03-04") || !changed.Confidential ||
		changed.Color != "#ff0000" {
		t.Errorf("%+v", changed)
	}
	expect(t, guest.Send("GET", path, ""), 404, `{"message":"404 Not found"}`)
	expect(t, guest.Send("GET", in+"/999", ""), 404, `{"message":"404 Not found"}`)
	again := read[epic](t, reporter.JSON("PUT", path, `{"state_event":"reopen","start_date_fixed":null}`), 200)
	if again.State != "opened" || again.ClosedAt != nil || again.StartDate != nil {
		t.Errorf("%+v", again)
	}
	old := read[epic](t, owner.JSON("POST", in, `{"title":"old","created_at":"2001-02-03T04:05:06Z"}`), 201)
	expect(t, owner.JSON("POST", in, `{"title":"x","created_at":"2999-02-03T04:05:06Z"}`), 400, "")
	if body := owner.Send("GET", fmt.Sprintf("%s/%d", in, old.IID), "").Body; !strings.Contains(body, "2001-02-03T04:05:06") {
		t.Error(body)
	}
	expect(t, reporter.Send("DELETE", path, ""), 403, "")
	expect(t, owner.Send("DELETE", path, ""), 204, "")
	expect(t, owner.Send("GET", path, ""), 404, `{"message":"404 Not found"}`)
	if next := read[epic](t, reporter.JSON("POST", in, `{"title":"next"}`), 201); next.IID <= old.IID {
		t.Errorf("the number %d was given again", next.IID)
	}
}

func TestEpicsAreSeenByRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for _, visibility := range []model.Visibility{model.Public, model.Private} {
		g := h.Group(func(g *model.Namespace) { g.Visibility = visibility })
		in := fmt.Sprintf("/groups/%d/epics", g.ID)
		root := h.Root()
		expect(t, root.JSON("POST", in, `{"title":"open"}`), 201, "")
		expect(t, root.JSON("POST", in, `{"title":"secret","confidential":true}`), 201, "")
		outside := map[model.Visibility]string{model.Public: "200 open 404", model.Private: "404 404"}[visibility]
		for _, c := range []struct {
			name string
			by   *harness.Caller
			want string
		}{
			{"anonymous", h.Anonymous(), outside},
			{"outsider", h.NewUser(), outside},
			{"external", h.NewUser(harness.External), outside},
			{"guest", h.Member(g, model.Guest), "200 open 404"},
			{"reporter", h.Member(g, model.Reporter), "200 secret open 200"},
			{"owner", h.Member(g, model.Owner), "200 secret open 200"},
			{"admin", root, "200 secret open 200"},
		} {
			list, one := c.by.Send("GET", in, ""), c.by.Send("GET", in+"/2", "")
			got := fmt.Sprint(list.Status)
			if list.Status == 200 {
				got += " " + epicTitles(read[[]epic](t, list, 200))
			}
			if got += fmt.Sprint(" ", one.Status); got != c.want {
				t.Errorf("%s in a group with visibility %d: %s, want %s", c.name, visibility, got, c.want)
			}
		}
	}
}

func TestListsOfEpicsAreFilteredAndOrdered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group()
	low := h.Group(func(g *model.Namespace) { g.ParentID = &top.ID })
	hidden := h.Group(func(g *model.Namespace) { g.ParentID, g.Visibility = &top.ID, model.Private })
	reporter := h.Member(low, model.Reporter)
	root := h.Root()
	add := func(g model.Namespace, body string) {
		t.Helper()
		expect(t, root.JSON("POST", fmt.Sprintf("/groups/%d/epics", g.ID), body), 201, "")
	}
	add(top, `{"title":"top","labels":"a"}`)
	add(low, `{"title":"low","description":"Find me","labels":["a","b"]}`)
	add(low, `{"title":"alpha","confidential":true}`)
	add(hidden, `{"title":"hidden"}`)
	expect(t, root.JSON("PUT", fmt.Sprintf("/groups/%d/epics/1", low.ID), `{"state_event":"close"}`), 200, "")
	for _, c := range []struct {
		by          *harness.Caller
		group       model.Namespace
		query, want string
	}{
		{root, top, "", "hidden alpha low top"},
		{reporter, top, "", "alpha low top"},
		{reporter, top, "?include_descendant_groups=false", "top"},
		{reporter, low, "", "alpha low"},
		{reporter, low, "?include_ancestor_groups=true&order_by=title&sort=asc", "alpha low top"},
		{reporter, top, "?state=closed", "low"},
		{reporter, top, "?state=opened", "alpha top"},
		{reporter, top, "?state=all&labels=a", "low top"},
		{reporter, top, "?labels=a,b", "low"},
		{reporter, top, "?labels=None", "alpha"},
		{reporter, top, "?search=find", "low"},
		{reporter, top, "?confidential=true", "alpha"},
		{reporter, top, "?confidential=false", "low top"},
		{reporter, top, "?author_id=999999", ""},
		{reporter, top, "?author_username=" + root.User.Username, "alpha low top"},
		{reporter, top, "?iids[]=2", "alpha"},
		{reporter, top, "?created_after=2999-01-01T00:00:00Z", ""},
		{reporter, top, "?updated_before=2999-01-01T00:00:00Z&order_by=updated_at", "low alpha top"},
		{reporter, top, "?per_page=2&page=2", "top"},
		{h.Member(hidden, model.Guest), top, "", "hidden top"},
	} {
		got := epicTitles(read[[]epic](t, c.by.Send("GET", fmt.Sprintf("/groups/%d/epics%s", c.group.ID, c.query), ""), 200))
		if got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.query, c.group.Path, got, c.want)
		}
	}
	details := reporter.Send("GET", fmt.Sprintf("/groups/%d/epics?with_labels_details=true&labels=b", top.ID), "")
	if !strings.Contains(details.Body, `"labels":[{"id":`) {
		t.Error(details.Body)
	}
	for _, query := range []string{"?state=merged", "?order_by=weight", "?pagination=keyset"} {
		if got := reporter.Send("GET", fmt.Sprintf("/groups/%d/epics%s", top.ID, query), ""); got.Status/100 != 4 {
			t.Errorf("%s: %d %s", query, got.Status, got.Body)
		}
	}
}

func TestAListOfEpicsTakesFewStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	root := h.Root()
	in, issues := fmt.Sprintf("/groups/%d/epics", g.ID), fmt.Sprintf("/projects/%d/issues", p.ID)
	add := func(n int) {
		parent := read[epic](t, root.JSON("POST", in, fmt.Sprintf(`{"title":"e%d","labels":"l%d"}`, n, n)), 201)
		expect(t, root.JSON("POST", in, fmt.Sprintf(`{"title":"c%d","parent_id":%d}`, n, parent.ID)), 201, "")
		expect(t, root.JSON("POST", issues, fmt.Sprintf(`{"title":"i","epic_id":%d}`, parent.ID)), 201, "")
	}
	count := func(path string) int64 {
		before := h.Store.Statements()
		expect(t, root.Send("GET", path, ""), 200, "")
		return h.Store.Statements() - before
	}
	add(1)
	epics, listed := count(in), count(issues)
	for n := 2; n < 8; n++ {
		add(n)
	}
	if more := count(in); more > epics {
		t.Errorf("%d statements for two epics, %d for fourteen", epics, more)
	}
	if more := count(issues); more > listed {
		t.Errorf("%d statements for one issue, %d for seven", listed, more)
	}
}

func TestTheFreeTierHasNoEpics(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Tier = "free" })
	g := h.Group()
	p := h.Project(g.ID)
	root := h.Root()
	expect(t, root.JSON("POST", fmt.Sprintf("/groups/%d/epics", g.ID), `{"title":"x"}`), 403, "")
	made := root.JSON("POST", fmt.Sprintf("/projects/%d/issues", p.ID), `{"title":"x","epic_id":1}`)
	expect(t, made, 201, "")
	if strings.Contains(made.Body, `"epic`) {
		t.Error(made.Body)
	}
}

func TestEpicsOfDeletedUsersStayAndEpicsOfDeletedGroupsGo(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(h.Group().ID)
	root := h.Root()
	in := fmt.Sprintf("/groups/%d/epics", g.ID)
	writer := h.Member(g, model.Reporter)
	made := read[epic](t, writer.JSON("POST", in, `{"title":"mine"}`), 201)
	expect(t, root.JSON("POST", fmt.Sprintf("/projects/%d/issues", p.ID), fmt.Sprintf(`{"title":"x","epic_id":%d}`, made.ID)), 201, "")
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%d", writer.User.ID), ""), 204, "")
	h.StartWorker()
	wait.Until(t, "the user is deleted", func() bool {
		return root.Send("GET", fmt.Sprintf("/users/%d", writer.User.ID), "").Status == 404
	})
	if got := read[epic](t, root.Send("GET", in+"/1", ""), 200); got.Author.Username == writer.User.Username {
		t.Errorf("%+v", got)
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("/groups/%d", g.ID), ""), 202, "")
	issue := root.Send("GET", fmt.Sprintf("/projects/%d/issues/1", p.ID), "")
	if member(t, issue, "epic") != nil {
		t.Error(issue.Body)
	}
}
