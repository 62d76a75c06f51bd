package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"

	"github.com/chromedp/chromedp"
)

func TestAnApplicationIsRegisteredAllowedAndDenied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	// The application shows the parameters that it receives.
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(
			w, "<h1>Back</h1><p id=got>%s|%s|%s</p>", r.URL.Query().Get("code"), r.URL.Query().Get("error"),
			r.URL.Query().Get("state"),
		)
	}))
	t.Cleanup(app.Close)
	u := h.NewUserWithPassword().User
	b := open(t, h)
	signIn(b, u, "Your projects")
	const path = "/-/profile/applications"
	b.visit(path)
	b.run(chromedp.Click(chromedp.CSS(`[name="scopes"][value="read_user"]`)))
	b.screenshot("applications")
	b.fill(path, "Editor", "name", "Editor", "redirect_uri", app.URL+"/back")
	b.screenshot("application")
	ask := "/oauth/authorize?" + url.Values{
		"client_id": {b.text("dd code")}, "redirect_uri": {app.URL + "/back"}, "response_type": {"code"},
		"scope": {"read_user"}, "state": {"xyz"},
	}.Encode()
	b.visit("/users/sign_in")
	b.press(`form[action="/users/sign_out"] button`, "Sign in")

	// A user who is not signed in comes from the application, signs in, answers the question, and is sent back. No
	// browser policy may block this.
	const question = "Allow Editor to use your account?"
	b.visit(ask)
	b.fill("/users/sign_in", question, "login", u.Username, "password", harness.Password)
	b.screenshot("consent")
	b.press(`form[action="/oauth/authorize"] button.danger`, "Back")
	if got := b.text("#got"); got != "|access_denied|xyz" {
		t.Errorf("denied: %s", got)
	}
	b.visit(ask)
	b.press(`form[action="/oauth/authorize"] button:not(.danger)`, "Back")
	if got := b.text("#got"); !regexp.MustCompile(`\A[0-9a-f]{64}\|\|xyz\z`).MatchString(got) {
		t.Errorf("allowed: %s", got)
	}
	b.visit("/-/profile/authorized_applications")
	b.screenshot("authorized")
}

func TestAGroupsApplicationIsRegistered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, g := h.NewUserWithPassword().User, h.Group()
	h.Join(g, u, model.Owner)
	b := open(t, h)
	signIn(b, u, "Your projects")
	path := "/groups/" + g.FullPath + "/-/settings/applications"
	b.visit("/-/profile/applications")
	b.press(`main a[href="/-/profile/group_applications"]`, "Applications of your groups")
	b.press(`a[href="`+path+`"]`, "Applications of "+g.FullName)
	b.run(chromedp.Click(chromedp.CSS(`[name="scopes"][value="read_user"]`)))
	b.fill(path, "Robot", "name", "Robot", "redirect_uri", "urn:ietf:wg:oauth:2.0:oob")
	if key := get(b, chromedp.Value(chromedp.CSS("#secret"))); len(key) < 32 {
		t.Errorf("the secret is %q", key)
	}
	b.visit("/oauth/authorize?" + url.Values{
		"client_id": {b.text("dd code")}, "redirect_uri": {"urn:ietf:wg:oauth:2.0:oob"}, "response_type": {"code"}, "scope": {"read_user"},
	}.Encode())
	if text := b.text("main"); !strings.Contains(text, "the group "+g.FullName) {
		t.Errorf("asked: %s", text)
	}
	checkPageSize(b, "the question")
	b.press(`form[action="/oauth/authorize"] button:not(.danger)`, "Your code")
	if code := b.text("#code"); len(code) != 64 {
		t.Errorf("the code is %q", code)
	}
}
