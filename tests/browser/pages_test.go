package browser

import (
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func signIn(b *tab, u model.User, heading string) {
	b.t.Helper()
	b.visit("/users/sign_in")
	b.fill("/users/sign_in", heading, "login", u.Username, "password", harness.Password)
}

func TestAPersonSetsUpASecondFactorAndSignsInWithIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := open(t, h)
	signIn(b, u, "Your projects")
	const path = "/-/profile/two_factor_auth"
	b.visit(path)
	b.screenshot("two-factor")
	if width := b.number(`document.querySelector("svg.qr").getBoundingClientRect().width`); width < 150 {
		t.Errorf("the picture is %v wide", width)
	}
	key, err := secret.ParseTOTP(b.text("code.mono"))
	if err != nil {
		t.Fatal(err)
	}
	b.fill(path, "Recovery codes", "code", secret.TOTPCode(key, time.Now()), "current_password", harness.Password)
	b.screenshot("recovery-codes")
	codes := strings.Fields(b.text("ol.codes"))
	if len(codes) != 10 {
		t.Fatalf("codes: %q", codes)
	}
	b.press(`form[action="/users/sign_out"] button`, "Sign in")
	b.fill("/users/sign_in", "Two-factor authentication", "login", u.Username, "password", harness.Password)
	b.screenshot("second-step")
	b.fill("/users/two_factor", "Two-factor authentication", "code", "000000")
	if text := b.text(".mistakes"); !strings.Contains(text, "The code is wrong") {
		t.Errorf("told: %s", text)
	}
	b.fill("/users/two_factor", "Your projects", "code", codes[0])
}

func TestATokenIsMadeAndCopied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := open(t, h)
	signIn(b, u, "Your projects")
	const path = "/-/profile/personal_access_tokens"
	b.visit(path)
	b.run(chromedp.Click(chromedp.CSS(`[name="scopes"][value="read_user"]`)))
	b.fill(path, "Access tokens", "name", "laptop")
	token := get(b, chromedp.Value(chromedp.CSS("#secret")))
	if got := h.WithHeaders("PRIVATE-TOKEN", token).Send("GET", "/user", ""); got.Status != 200 {
		t.Errorf("%q: %d %s", token, got.Status, got.Body)
	}
	b.run(chromedp.WaitVisible(chromedp.CSS(`button[data-copy]`)))
	b.screenshot("token")
	b.run(chromedp.Click(chromedp.CSS(`button[data-copy]`)), chromedp.WaitVisible(chromedp.Search(`//button[text()="Copied"]`)))
	b.run(chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("h1")))
	if n := b.number(`document.querySelectorAll("#secret").length`); n != 0 {
		t.Error("the token is shown again")
	}
}

func TestAPageLoadsOnlyOurFiles(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Registration = "open" })
	b := open(t, h)
	for path, name := range map[string]string{
		"/users/sign_in": "sign-in", "/users/sign_up": "register", "/users/password/new": "forgotten",
		"/users/confirmation/new": "confirmation", "/no/such/page": "not-found",
	} {
		b.visit(path)
		b.screenshot(name)
		checkPageSize(b, path)
	}
}

func TestSigningInNeedsNoMouse(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := open(t, h)
	b.visit("/users/sign_in")
	// The first field already has the focus.
	b.run(
		chromedp.KeyEvent(u.Username+kb.Tab+harness.Password+kb.Enter),
		chromedp.WaitVisible(chromedp.Search(`//h1[text()="Your projects"]`)),
	)
	b.run(chromedp.KeyEvent(kb.Tab))
	if focus := get(b, chromedp.Evaluate[string](`document.activeElement.textContent`)); focus != "Skip to content" {
		t.Errorf("the first stop is %q", focus)
	}
}

// Every page for signed-in users is small, loads only our files, and is no wider than a phone. With
// SVC_SCREENSHOTS set, the test also saves screenshots.
func TestEveryPageIsSmallAndFitsOnAPhone(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword(func(u *model.User) { u.Admin, u.Name = true, "Ann Lee" }).User
	g := h.Group()
	h.Join(g, u, model.Owner)
	for range 3 {
		h.NewUser()
	}
	h.Project(*u.NamespaceID)
	code := strings.Repeat("0123456789abcdef", 4)
	b := open(t, h)
	signIn(b, u, "Your projects")
	for path, name := range map[string]string{
		"/": "home", "/-/profile": "profile", "/-/profile/password": "password", "/-/profile/emails": "emails", "/-/profile/keys": "keys",
		"/-/profile/active_sessions": "sessions", "/-/profile/personal_access_tokens": "tokens",
		"/-/profile/two_factor_auth": "two-factor-set-up",
		"/-/profile/applications":    "own-applications", "/-/profile/group_applications": "owned-groups",
		"/-/profile/authorized_applications":                 "no-authorized",
		"/groups/" + g.FullPath + "/-/settings/applications": "group-applications", "/admin/users": "admin-users",
		"/admin/applications":                "admin-applications",
		"/oauth/authorize?client_id=unknown": "refused", "/oauth/authorize/native?code=" + code: "native",
		"/users/sign_in?again=1":                  "sign-in-again",
		"/groups/no/such/-/settings/applications": "no-group",
	} {
		b.run(chromedp.EmulateViewport(375, 800))
		b.visit(path)
		checkPageSize(b, path)
		b.screenshot(name)
	}
}

// checkPageSize checks what every page promises: its size, the files that it loads, and its width.
func checkPageSize(b *tab, path string) {
	b.t.Helper()
	files := get(b, chromedp.Evaluate[[]string](`performance.getEntriesByType("resource").map((e) => e.name)`))
	for _, file := range files {
		if !strings.HasPrefix(file, b.h.URL+"/-/assets/") {
			b.t.Errorf("%s asks for %s", path, file)
		}
	}
	if len(files) > 4 { // with the page itself, five requests
		b.t.Errorf("%s asks for %q", path, files)
	}
	size := b.number(`performance.getEntries().reduce((sum, e) => sum + (e.decodedBodySize || 0), 0)`)
	if size == 0 || size > 150_000 {
		b.t.Errorf("%s weighs %v bytes", path, size)
	}
	checkWidth(b, path)
}

// checkWidth checks that a page is not wider than the window.
func checkWidth(b *tab, path string) {
	b.t.Helper()
	if wide := b.number(`document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		b.t.Errorf("%s is %v too wide", path, wide)
	}
}
