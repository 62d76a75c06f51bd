package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAnAdministratorSeesWhereARepositoryIs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	path := fmt.Sprintf("/projects/%d/storage", project.ID)
	got := h.Root().Send("GET", path, "")
	expect(t, got, 200, "")
	if place := member(t, got, "disk_path").(string); !strings.HasPrefix(place, "@hashed/") || strings.HasSuffix(place, ".git") {
		t.Errorf("%s", got.Body)
	}
	if member(t, got, "repository_storage") != "default" {
		t.Errorf("%s", got.Body)
	}
	expect(t, h.ProjectMember(project, model.Owner).Send("GET", path, ""), 403, "")
	expect(t, h.Anonymous().Send("GET", path, ""), 401, "")
	expect(t, h.Root().Send("GET", "/projects/999999/storage", ""), 404, "")
}

func TestAnOwnerStartsTheMaintenanceOfARepository(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	path := fmt.Sprintf("/projects/%d/housekeeping", project.ID)
	waiting := func() int64 {
		return count(t, h, "SELECT count(*) FROM river_job WHERE kind = 'care_for_repository' AND state <> 'completed'")
	}
	expect(t, h.ProjectMember(project, model.Maintainer).Send("POST", path, ""), 403, "")
	expect(t, h.Anonymous().Send("POST", path, ""), 401, "")
	if waiting() != 0 {
		t.Error("a refused request queued the maintenance")
	}
	owner := h.ProjectMember(project, model.Owner)
	expect(t, owner.JSON("POST", path, `{"task":"prune"}`), 400, "")
	expect(t, owner.Send("POST", path, ""), 201, "")
	expect(t, owner.JSON("POST", path, `{"task":"eager"}`), 201, "")
	if n := waiting(); n != 1 {
		t.Errorf("%d jobs wait", n)
	}
}

func TestAGroupIsMovedToOneOfItsTransferLocations(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	named := func(name string) func(*model.Namespace) {
		return func(g *model.Namespace) { g.Name, g.Path, g.Visibility = name, name, model.Private }
	}
	parent := h.Group(named("parent"))
	group := h.Group(named("moving"), func(g *model.Namespace) { g.ParentID = &parent.ID })
	below := h.Group(named("below"), func(g *model.Namespace) { g.ParentID = &group.ID })
	mine, theirs, strict := h.Group(named("mine")), h.Group(named("theirs")),
		h.Group(named("strict"), func(g *model.Namespace) { g.SubgroupCreationLevel = "owner" })
	owner := h.Member(parent, model.Owner)
	h.Join(mine, owner.User, model.Maintainer)
	h.Join(strict, owner.User, model.Maintainer)
	h.Join(theirs, owner.User, model.Developer)
	list := func(c *harness.Caller, query string) string {
		var names []string
		for _, g := range read[[]struct{ Name string }](t,
			c.Send("GET", fmt.Sprintf("/groups/%d/transfer_locations%s", group.ID, query), ""), 200) {
			names = append(names, g.Name)
		}
		return strings.Join(names, " ")
	}
	if got := list(owner, ""); got != "mine" {
		t.Errorf("the owner sees %q", got)
	}
	if got := list(h.Root(), ""); got != "mine strict theirs" {
		t.Errorf("an administrator sees %q", got)
	}
	if got := list(h.Root(), "?search=the&per_page=1"); got != "theirs" {
		t.Errorf("an administrator finds %q", got)
	}
	maintainer := h.Member(group, model.Maintainer)
	expect(t, maintainer.Send("GET", fmt.Sprintf("/groups/%d/transfer_locations", group.ID), ""), 403, "")
	expect(t, h.NewUser().Send("GET", fmt.Sprintf("/groups/%d/transfer_locations", below.ID), ""), 404, "")
}

func TestIssuesAreFilteredByWeight(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	ann := h.ProjectMember(project, model.Reporter)
	all := fmt.Sprintf("/projects/%d/issues", project.ID)
	for _, body := range []string{`{"title":"a"}`, `{"title":"b","weight":0}`, `{"title":"c","weight":2}`} {
		expect(t, ann.JSON("POST", all, body), 201, "")
	}
	for query, want := range map[string]string{"None": "a", "none": "a", "Any": "b c", "0": "b", "2": "c", "3": ""} {
		var titles []string
		for _, i := range read[[]struct{ Title string }](t, ann.Send("GET", all+"?sort=asc&weight="+query, ""), 200) {
			titles = append(titles, i.Title)
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("weight=%s lists %q, want %q", query, got, want)
		}
	}
	expect(t, ann.Send("GET", all+"?weight=heavy", ""), 400, "")
	expect(t, ann.JSON("POST", all, `{"title":"d","weight":-1}`), 400, "")
}
