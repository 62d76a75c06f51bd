package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const (
	groupApps   = "/-/settings/applications"
	ownedGroups = "/-/profile/group_applications"
)

var editor = url.Values{"name": {"Editor"}, "redirect_uri": {"https://editor.example/back"}, "scopes": {"read_user"}}

func TestOwnersManageTheApplicationsOfTheirGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(func(g *model.Namespace) { g.Name = "Tools" })
	g := h.Group(func(g *model.Namespace) { g.Name, g.ParentID = "Editors", &top.ID })
	u := h.NewUserWithPassword().User
	h.Join(top, u, model.Owner) // an owner of the parent group is an owner here
	b := h.SignedIn(u)
	checkPage(t, b.Get(ownApps), 200, "", "Applications of your groups")
	checkPage(t, b.Get(ownedGroups), 200, "", "Tools / Editors")
	shelf := "/groups/" + g.FullPath + groupApps
	if !strings.Contains(b.Page.Body, `href="`+shelf+`"`) {
		t.Errorf("there is no link to %s", shelf)
	}
	has(t, b.Get("/groups/"+g.FullPath+"/-/edit"), `<a href="`+shelf+`">Applications</a>`)
	checkPage(
		t,
		b.Get("/groups/"+strings.ToUpper(g.FullPath)+groupApps),
		200,
		"",
		"Applications of Tools / Editors There are no applications.",
	)
	path, uid, key := addApp(t, b, shelf, editor)
	if !strings.HasPrefix(path, shelf+"/") || strings.Contains(b.Get(path).Body, key) {
		t.Errorf("the page is %s, and the secret may be shown twice", path)
	}
	app, err := h.Store.OAuthApplications.GetByUID(t.Context(), uid)
	if err != nil || app.UserID != nil || app.NamespaceID == nil || *app.NamespaceID != g.ID || app.Trusted {
		t.Fatalf("%+v, %v", app, err)
	}
	checkPage(t, b.Submit(path, url.Values{
		"name": {"Editor 2"}, "scopes": {"read_user"}, "redirect_uri": {"https://editor.example/two"},
	}), 200, path, "The application was saved")
	checkPage(t, b.Submit(path, url.Values{"name": {""}}), 422, path, "Name can't be blank")
	b.Get(path)
	checkPage(t, b.Submit(path+"/renew", nil), 200, path, "The old secret no longer works")
	if again := shownSecret.FindStringSubmatch(b.Page.Body); again == nil || again[1] == key {
		t.Errorf("the new secret is %q", again)
	}
	checkPage(t, b.Get(shelf), 200, "", "Editor 2")
	// The application is in no other list.
	id := strings.TrimPrefix(path, shelf+"/")
	for _, other := range []string{ownApps, "/groups/" + top.FullPath + groupApps} {
		checkPage(t, b.Get(other+"/"+id), 404, "", "")
		checkPage(t, b.Get(other), 200, "", "There are no applications.")
	}
	b.Get(path)
	checkPage(t, b.Submit(path+"/delete", nil), 200, shelf, "There are no applications.")
}

func TestOnlyOwnersManageTheApplicationsOfAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	public := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	owner := h.NewUserWithPassword().User
	h.Join(g, owner, model.Owner)
	h.Join(public, owner, model.Owner)
	b := h.SignedIn(owner)
	shelf := "/groups/" + g.FullPath + groupApps
	path, uid, _ := addApp(t, b, shelf, editor)
	maintainer := h.NewUserWithPassword().User
	h.Join(g, maintainer, model.Maintainer)
	all := []string{
		"", strings.TrimPrefix(path, shelf), strings.TrimPrefix(path, shelf) + "/renew",
		strings.TrimPrefix(path, shelf) + "/delete",
	}
	for name, c := range map[string]struct {
		user   model.User
		group  model.Namespace
		status int
	}{
		"a stranger":                   {h.NewUserWithPassword().User, g, 404},
		"a stranger at a public group": {h.NewUserWithPassword().User, public, 403},
		"a maintainer":                 {maintainer, g, 403},
		"a stranger where nothing is":  {h.NewUserWithPassword().User, model.Namespace{FullPath: "no/such"}, 404},
	} {
		other := h.SignedIn(c.user)
		form, _ := other.Page.Fields("/users/sign_out")
		for i, verb := range all {
			at := "/groups/" + c.group.FullPath + groupApps + verb
			if i < 2 {
				if page := other.Get(at); page.Status != c.status {
					t.Errorf("%s sees %s: %d", name, at, page.Status)
				}
			}
			if page := other.Post(at, form); page.Status != c.status {
				t.Errorf("%s writes to %s: %d", name, at, page.Status)
			}
		}
		if other.Get(ownedGroups); strings.Contains(other.Page.Text(), g.Name) ||
			!strings.Contains(other.Page.Text(), "You do not own any groups.") {
			t.Errorf("%s is shown %s", name, other.Page.Text())
		}
	}
	if app, err := h.Store.OAuthApplications.GetByUID(t.Context(), uid); err != nil || app.Name != "Editor" {
		t.Errorf("%+v, %v", app, err)
	}
	checkPage(t, h.SignedIn(h.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User).Get(path), 200, path, "Editor")
	checkPage(t, h.Browser().Get(shelf), 200, "/users/sign_in", "")
	for _, wrong := range []string{
		"/groups/", "/groups" + groupApps, shelf + "/", shelf + "/x", shelf + "/1/",
		shelf + "/1/no", shelf + "s", path + "/renew",
	} {
		if page := b.Get(wrong); page.Status != 404 {
			t.Errorf("%s: %d", wrong, page.Status)
		}
	}
}

// On a page, a path of digits is a path, even if another group has that id.
func TestAGroupPathMayBeANumber(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	number := h.Group(func(n *model.Namespace) { n.Name, n.Path = "By number", strconv.FormatInt(g.ID, 10) })
	u := h.NewUserWithPassword().User
	h.Join(number, u, model.Owner)
	b := h.SignedIn(u)
	checkPage(t, b.Get("/groups/"+number.FullPath+groupApps), 200, "", "Applications of By number")
}

func TestTheConsentPageNamesTheGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Name = "Tool makers" })
	owner := h.NewUserWithPassword().User
	h.Join(g, owner, model.Owner)
	b := h.SignedIn(owner)
	_, uid, _ := addApp(t, b, "/groups/"+g.FullPath+groupApps, editor)
	ask := "/oauth/authorize?" + url.Values{
		"client_id": {uid}, "redirect_uri": {"https://editor.example/back"}, "response_type": {"code"},
		"scope": {"read_user"},
	}.Encode()
	checkPage(t, b.Get(ask), 200, "", "The application belongs to the group Tool makers.")
	other := h.SignedIn(h.NewUserWithPassword().User)
	checkPage(t, other.Get(ask), 200, "", "The application belongs to a group that you cannot see.")
	if strings.Contains(other.Page.Body, "Tool makers") {
		t.Error("a stranger learns the name of a private group")
	}
}
