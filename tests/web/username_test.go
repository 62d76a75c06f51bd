package web

import (
	"net/url"
	"strings"
	"testing"

	"svc/tests/harness"
)

func TestAPersonChangesTheirUsername(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, other, g := h.NewUserWithPassword(), h.NewUser().User, h.Group()
	p := h.Project(*u.User.NamespaceID)
	b := h.SignedIn(u.User)
	const path, form = "/-/profile", "/-/profile/username"
	checkPage(t, b.Get(path), 200, path, "anyone can take the old name")
	for want, fill := range map[string]url.Values{
		"New username can't be blank":              {"username": {""}},
		"New username api is a reserved name":      {"username": {"api"}},
		"New username can contain only letters":    {"username": {"-x"}},
		"New username has already been taken":      {"username": {strings.ToUpper(other.Username)}},
		"username has already been taken":          {"username": {g.Path}},
		"Current password is wrong":                {"username": {"ann"}, "current_password": {"no"}},
		"New username is too long (maximum is 255": {"username": {strings.Repeat("a", 256)}},
	} {
		b.Get(path)
		if fill.Get("current_password") == "" {
			fill.Set("current_password", harness.Password)
		}
		checkPage(t, b.Submit(form, fill), 422, form, want)
	}
	if got, err := h.Store.Users.Get(t.Context(), u.User.ID); err != nil || got.Username != u.User.Username {
		t.Errorf("%+v, %v", got.Username, err)
	}
	b.Get(path)
	checkPage(t, b.Submit(form, url.Values{
		"username": {"ann.lee"}, "current_password": {harness.Password},
	}), 200, path, "Your username was changed.")
	if got := u.Send("GET", "/user", ""); !strings.Contains(got.Body, `"username":"ann.lee"`) {
		t.Error(got.Body)
	}
	if got := u.Send("GET", "/projects/ann.lee%2F"+p.Path, ""); got.Status != 200 ||
		!strings.Contains(got.Body, `"path_with_namespace":"ann.lee/`+p.Path+`"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := u.Send("GET", "/projects/"+url.PathEscape(p.FullPath), ""); got.Status != 301 && got.Status != 200 {
		t.Errorf("by the old address: %d", got.Status)
	}
	checkPage(t, h.Browser().Post(form, url.Values{"username": {"x"}}), 200, "/users/sign_in", "")
	stranger := h.SignedIn(h.NewUserWithPassword().User)
	checkPage(t, stranger.Post(form, url.Values{
		"username": {"x"}, "current_password": {harness.Password},
	}), 422, "", "not sent from a page of this service")
}
