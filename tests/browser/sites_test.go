package browser

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/chromedp/chromedp"
)

// sites returns a server of Pages sites without a configured host. They are below pages.localhost, which every browser
// resolves by itself.
func sites(t *testing.T) *harness.H {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	h := harness.New(t, func(c *config.Config) { c.PagesListen, c.PagesHost = listener.Addr().String(), "" })
	go func() { _ = h.Server.ServePages(listener) }() // ends when the listener closes
	return h
}

func TestAPrivateSiteIsOpenedBySigningIn(t *testing.T) {
	t.Parallel()
	h := sites(t)
	owner := h.NewUserWithPassword()
	p := h.Project(*owner.User.NamespaceID, func(r *model.Project) { r.PagesAccessLevel = model.FeaturePrivate })
	const home, more = "<!doctype html><h1>Our site</h1><p><a href=more.html>more</a>", "<!doctype html><h1>More</h1>"
	h.PublishSite(p, "index.html", home, "more.html", more)
	var shown struct{ URL string }
	got := owner.Send("GET", fmt.Sprintf("/projects/%d/pages", p.ID), "")
	if err := json.Unmarshal([]byte(got.Body), &shown); err != nil || !strings.Contains(shown.URL, ".pages.localhost:") {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	b := open(t, h)
	b.run(chromedp.Navigate(shown.URL+"/?x=1"), chromedp.WaitVisible(chromedp.CSS(`form[action="/users/sign_in"]`)))
	if at := get(b, chromedp.Location()); !strings.HasPrefix(at, h.URL+"/users/sign_in?") {
		t.Errorf("the browser is sent to %s", at)
	}
	b.fill("/users/sign_in", "Our site", "login", owner.User.Username, "password", harness.Password)
	if at := get(b, chromedp.Location()); at != shown.URL+"/?x=1" {
		t.Errorf("the browser comes back to %s", at)
	}
	b.press("a", "More")
	if cookies := get(b, chromedp.Evaluate[string]("document.cookie")); cookies != "" {
		t.Errorf("scripts of the site see %q", cookies)
	}
	b.visit("/-/profile")
	b.press(`form[action="/users/sign_out"] button`, "Sign in")
	b.run(chromedp.Navigate(shown.URL), chromedp.WaitVisible(chromedp.CSS(`form[action="/users/sign_in"]`)))

	outsider := open(t, h)
	outsider.run(chromedp.Navigate(shown.URL), chromedp.WaitVisible(chromedp.CSS(`form[action="/users/sign_in"]`)))
	outsider.fill("/users/sign_in", "Page not found", "login", h.NewUserWithPassword().User.Username, "password", harness.Password)
}
