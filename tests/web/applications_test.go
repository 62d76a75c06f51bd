package web

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const (
	ownApps   = "/-/profile/applications"
	adminApps = "/admin/applications"
)

var (
	shownSecret = regexp.MustCompile(`id="secret"[^>]* value="([^"]+)"`)
	shownID     = regexp.MustCompile(`<dd><code>([0-9a-f]{64})</code>`)
)

// addApp registers an application and returns its page, id and secret.
func addApp(t *testing.T, b *harness.Browser, shelf string, fill url.Values) (path, uid, key string) {
	t.Helper()
	b.Get(shelf)
	page := b.Submit(shelf, fill)
	id, secret := shownID.FindStringSubmatch(page.Body), shownSecret.FindStringSubmatch(page.Body)
	if page.Status != 200 || id == nil || secret == nil {
		t.Fatalf("%d %s", page.Status, page.Text())
	}
	return page.URL.Path, id[1], secret[1]
}

// getApp returns the stored application with an id.
func getApp(t *testing.T, h *harness.H, uid string) model.OAuthApplication {
	t.Helper()
	app, err := h.Store.OAuthApplications.GetByUID(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	return app
}

func TestAnApplicationIsRegisteredChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := h.SignedIn(u)
	path, uid, key := addApp(t, b, ownApps, url.Values{
		"name": {"Editor <3"}, "redirect_uri": {"https://editor.example/back\r\nhttps://editor.example/two"},
		"scopes": {"read_user"},
	})
	if strings.Contains(b.Get(path).Body, key) {
		t.Error("the secret is shown twice")
	}
	if app := getApp(t, h, uid); app.UserID == nil || *app.UserID != u.ID || !app.Confidential || app.Trusted ||
		len(app.RedirectURIs()) != 2 {
		t.Fatalf("%+v", app)
	}
	checkPage(t, b.Submit(path, url.Values{
		"name": {"Editor"}, "redirect_uri": {"https://editor.example/back"}, "confidential": nil,
		"scopes": {"read_user", "openid"},
	}), 200, path, "The application was saved")
	if app := getApp(t, h, uid); app.Confidential || app.Name != "Editor" ||
		app.Scopes != "read_user openid" && app.Scopes != "openid read_user" {
		t.Errorf("%+v", app)
	}
	checkPage(t, b.Submit(path+"/renew", nil), 200, path, "The old secret no longer works")
	if again := shownSecret.FindStringSubmatch(b.Page.Body); again == nil || again[1] == key {
		t.Errorf("the new secret is %q", again)
	}
	b.Get(path)
	checkPage(t, b.Submit(path+"/delete", nil), 200, ownApps, "There are no applications.")
}

func TestABadChangeOfAnApplicationIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	path, _, _ := addApp(t, b, ownApps, url.Values{
		"name": {"Editor"}, "redirect_uri": {"https://editor.example/back"}, "scopes": {"read_user"},
	})
	for want, fill := range map[string]url.Values{
		"Name can't be blank":                  {"name": {""}},
		"Redirect URI is forbidden":            {"redirect_uri": {"javascript:alert(1)"}},
		"Redirect URI cannot contain a fragme": {"redirect_uri": {"https://a.example/#b"}},
		"Redirect URI must be an absolute URI": {"redirect_uri": {"/back"}},
		"Scopes can't be blank":                {"scopes": nil},
		"Scopes doesn't match configured":      {"scopes": {"everything"}},
	} {
		b.Get(path)
		checkPage(t, b.Submit(path, fill), 422, path, want)
	}
}

func TestAnotherUserCannotSeeOrChangeAnApplication(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	path, uid, _ := addApp(t, h.SignedIn(h.NewUserWithPassword().User), ownApps, url.Values{
		"name": {"Editor"}, "redirect_uri": {"https://editor.example/back"}, "scopes": {"read_user"},
	})
	other := h.SignedIn(h.NewUserWithPassword().User)
	form, _ := other.Page.Fields("/users/sign_out")
	checkPage(t, other.Get(path), 404, "", "Page not found")
	for _, verb := range []string{"", "/renew", "/delete"} {
		checkPage(t, other.Post(path+verb, form), 404, "", "")
	}
	getApp(t, h, uid) // it is still there
}

func TestOnlyAdministratorsManageInstanceApplications(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.SignedIn(h.NewUserWithPassword().User)
	checkPage(t, u.Get(adminApps), 404, "", "Page not found")
	if u.Get(ownApps); strings.Contains(u.Page.Body, `name="trusted"`) {
		t.Error("a user can make an application trusted")
	}
	form, _ := u.Page.Fields(ownApps)
	form.Set("name", "sneaky")
	form.Set("redirect_uri", "https://a.example")
	form["scopes"] = []string{"api"}
	form.Set("trusted", "1")
	page := u.Post(ownApps, form)
	sneaky, err := h.Store.OAuthApplications.GetByUID(t.Context(), shownID.FindStringSubmatch(page.Body)[1])
	if err != nil || sneaky.Trusted {
		t.Errorf("%+v, %v", sneaky, err)
	}
	root := h.SignedIn(h.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User)
	_, uid, _ := addApp(t, root, adminApps, url.Values{
		"name": {"Dashboard"}, "redirect_uri": {"https://d.example"}, "scopes": {"api"}, "trusted": {"1"},
	})
	app, err := h.Store.OAuthApplications.GetByUID(t.Context(), uid)
	if err != nil || app.UserID != nil || !app.Trusted {
		t.Errorf("%+v, %v", app, err)
	}
	checkPage(t, root.Get(adminApps), 200, adminApps, "Dashboard")
	if strings.Contains(root.Page.Text(), "sneaky") {
		t.Error("the application of a user is one of the instance")
	}
	checkPage(t, root.Get(adminApps+"/"+strings.TrimPrefix(page.URL.Path, ownApps+"/")), 404, "", "")
}

func TestAnAuthorizedApplicationIsRevoked(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	_, uid, key := addApp(t, b, ownApps, url.Values{
		"name": {"Editor"}, "redirect_uri": {"https://editor.example/back"}, "scopes": {"read_user"},
	})
	ask := "/oauth/authorize?" + url.Values{
		"client_id": {uid}, "redirect_uri": {"https://editor.example/back"}, "response_type": {"code"},
		"scope": {"read_user"}, "state": {"abc"},
	}.Encode()
	b.Get(ask)
	b.NoRedirects()
	to, err := url.Parse(b.Submit("/oauth/authorize", nil).Header.Get("Location"))
	if err != nil || to.Query().Get("code") == "" || to.Query().Get("state") != "abc" {
		t.Fatalf("%s %v: %s", to, err, b.Page.Text())
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {to.Query().Get("code")},
		"redirect_uri": {"https://editor.example/back"}, "client_id": {uid}, "client_secret": {key},
	}
	answer := h.Browser().Post("/oauth/token", form)
	token := regexp.MustCompile(`"access_token":"([0-9a-f]+)"`).FindStringSubmatch(answer.Body)
	if token == nil {
		t.Fatal(answer.Body)
	}
	api := h.WithHeaders("Authorization", "Bearer "+token[1])
	if got := api.Send("GET", "/user", ""); got.Status != 200 {
		t.Fatal(got)
	}
	mine := h.SignedIn(u.User)
	const path = "/-/profile/authorized_applications"
	checkPage(t, mine.Get(path), 200, path, "Editor read_user")
	withdraw := regexp.MustCompile(`action="(` + path + `/\d+/revoke)"`).FindStringSubmatch(mine.Page.Body)
	if withdraw == nil {
		t.Fatal(h.Logs.String())
	}
	other := h.SignedIn(h.NewUserWithPassword().User)
	theirs, _ := other.Page.Fields("/users/sign_out")
	other.Post(withdraw[1], theirs)
	if got := api.Send("GET", "/user", ""); got.Status != 200 {
		t.Error("another has withdrawn it")
	}
	checkPage(t, mine.Submit(withdraw[1], nil), 200, path, "You have not authorized any applications.")
	if got := api.Send("GET", "/user", ""); got.Status != 401 {
		t.Errorf("after it was withdrawn: %d", got.Status)
	}
}
