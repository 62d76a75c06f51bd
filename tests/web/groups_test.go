package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAGroupShowsTheTreeThatTheCallerSees(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(n *model.Namespace) { n.Name, n.Description = "<Top>", "All <b>tools</b>" })
	below := h.Group(func(n *model.Namespace) { n.Name, n.Path, n.ParentID = "Below", "below", &g.ID })
	for i := range 30 {
		deep := h.Group(func(n *model.Namespace) { n.Path, n.ParentID = fmt.Sprintf("deep-%d", i), &below.ID })
		h.Project(deep.ID)
	}
	roof := h.Project(below.ID, func(p *model.Project) { p.Name = "Roof" })
	h.Project(g.ID, func(p *model.Project) { p.Name = "Cellar" })
	owner, guest := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(g, owner.User, model.Owner)
	h.JoinProject(roof, guest.User, model.Guest)
	path := "/groups/" + g.FullPath
	b := h.SignedIn(owner.User)
	shown := openPage(t, h, b, path, 8)
	for _, want := range []string{"<Top>", "All <b>tools</b>", "Below", "Roof", "Cellar", "New project", "New subgroup"} {
		checkPage(t, shown, 200, path, want)
	}
	if !strings.Contains(shown.Body, `href="/`+roof.FullPath+`"`) {
		t.Error("the project has no link")
	}
	checkPage(t, b.Get("/"+g.FullPath), 200, path, "Roof")
	checkPage(t, b.Get("/"+below.FullPath), 200, "/groups/"+below.FullPath, "Roof")
	checkPage(t, b.Get(path+"?search=roo"), 200, path, "Roof")
	if strings.Contains(b.Page.Text(), "Cellar") {
		t.Error("the search finds everything")
	}
	member := h.SignedIn(guest.User).Get(path) // a member of one project below sees the group, and only that project
	checkPage(t, member, 200, path, "Roof")
	for _, secret := range []string{"Cellar", "New project", "New subgroup", "deep-1"} {
		if strings.Contains(member.Text(), secret) {
			t.Errorf("a guest of one project sees %q", secret)
		}
	}
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), path)
	hidden(t, h.Browser(), path)
}

func TestPeopleMakeGroupsAndSubgroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	const form = "/-/groups/new"
	checkPage(t, h.Browser().Get(form), 200, signInPath, "Sign in")
	checkPage(t, b.Get(form), 200, form, "New group")
	checkPage(t, b.Submit(form, url.Values{"name": {"Tools & <more>"}, "path": {"a b"}, "visibility": {"public"}}), 422, form, "Path ")
	if fields, _ := b.Page.Fields(form); fields.Get("name") != "Tools & <more>" || fields.Get("path") != "a b" {
		t.Errorf("the form forgets what was typed: %v", fields)
	}
	checkPage(t, b.Submit(form, url.Values{"name": {"Tools"}, "path": {""}, "visibility": {"odd"}}),
		422, form, "Visible to is not in the list")
	checkPage(t, b.Submit(form, url.Values{"name": {"Tools"}, "path": {""}, "visibility": {"internal"}}),
		200, "/groups/tools", "The group was made.")
	checkPage(t, b.Get("/-/groups"), 200, "/-/groups", "Tools")
	checkPage(t, b.Get(form+"?parent=tools"), 200, form, "The subgroup is made in Tools")
	checkPage(t, b.Submit(form, url.Values{"name": {"Saws"}, "visibility": {"public"}}), 422, form, "not allowed since the parent group")
	checkPage(t, b.Submit(form, url.Values{"name": {"Saws"}, "visibility": {"private"}}), 200, "/groups/tools/saws", "Saws")
	checkPage(t, again(b, form, url.Values{"name": {"Saws"}, "parent": {"tools"}, "visibility": {"private"}}),
		422, form, "has already been taken")

	other := h.SignedIn(h.NewUserWithPassword().User)
	checkPage(t, other.Get(form+"?parent=tools"), 200, form, "Tools") // it is internal; the domain refuses the act
	checkPage(t, other.Submit(form, url.Values{"name": {"Mine"}, "visibility": {"private"}}), 422, form, "not allowed")
	checkPage(t, other.Get(form+"?parent=tools/saws"), 404, "", "Page not found")
	secret := h.Group()
	if page := other.Get(form + "?parent=" + secret.FullPath); page.Status != 404 {
		t.Errorf("a hidden parent answers %d", page.Status)
	}
}
