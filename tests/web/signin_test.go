package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

const (
	signInPath = "/users/sign_in"
	refused    = "The username or password is wrong"
)

func login(b *harness.Browser, name, password string) harness.Page {
	b.Get(signInPath)
	return b.Submit(signInPath, url.Values{"login": {name}, "password": {password}})
}

func TestAPersonSignsInAndOut(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	for _, name := range []string{u.Username, strings.ToUpper(u.Username), u.Email} {
		b := h.Browser()
		checkPage(t, b.Get("/"), 200, signInPath, "Sign in")
		checkPage(t, login(b, name, harness.Password), 200, "/", u.Username)
		old := b.Cookie("_svc_session")
		checkPage(t, b.Get(signInPath), 200, "/", u.Username) // a signed-in user is sent on
		checkPage(t, b.Submit("/users/sign_out", nil), 200, signInPath, "You are signed out.")
		if b.Cookie("_svc_session") != "" {
			t.Error("the cookie is still there")
		}
		if strings.Contains(b.Get(signInPath).Text(), "signed out") {
			t.Error("the sentence is told twice")
		}
		b.SetCookie("_svc_session", old)
		checkPage(t, b.Get("/"), 200, signInPath, "Sign in")
	}
	row, err := h.Store.Users.Get(t.Context(), u.ID)
	if err != nil || row.SignInCount != 3 || row.CurrentSignInAt == nil || row.LastSignInAt == nil ||
		row.CurrentSignInIP == nil || *row.CurrentSignInIP != "127.0.0.1" {
		t.Errorf("noted: %+v, %v", row, err)
	}
}

func TestTheSessionCookieHasSafeAttributes(t *testing.T) {
	t.Parallel()
	for base, secure := range map[string]bool{"": false, "https://svc.example.com": true} {
		h := harness.New(t, func(c *config.Config) {
			if base != "" {
				c.URL = base
			}
		})
		u := h.NewUserWithPassword().User
		b := h.Browser()
		b.NoRedirects()
		b.Get(signInPath)
		form, _ := b.Page.Fields(signInPath)
		form.Set("login", u.Username)
		form.Set("password", harness.Password)
		// The cookie jar does not send https cookies to us, so the test sends the form's cookie itself.
		prefix := ""
		if secure {
			prefix = "__Host-"
		}
		page := b.Post(signInPath, form, "Cookie", cookieOf(b.Page.Header, prefix+"_svc_form"))
		cookie := setCookieHeader(page.Header, prefix+"_svc_session=")
		if cookie == "" {
			t.Fatalf("%s: the cookies are %q", base, page.Header["Set-Cookie"])
		}
		value, _, _ := strings.Cut(strings.TrimPrefix(cookie, prefix+"_svc_session="), ";")
		for name, status := range map[string]int{
			prefix + "_svc_session": 200, "_svc_session": map[bool]int{false: 200, true: 401}[secure],
		} {
			if got := h.WithHeaders("Cookie", name+"="+value).Send("GET", "/user", ""); got.Status != status {
				t.Errorf("%s: the cookie %s opens the API with %d, want %d", base, name, got.Status, status)
			}
		}
		for part, want := range map[string]bool{
			"; HttpOnly": true, "; SameSite=Lax": true, "; Path=/": true, "; Secure": secure, "Max-Age": false,
			"Domain": false,
		} {
			if strings.Contains(cookie, part) != want {
				t.Errorf("%q in %q is not %v", part, cookie, want)
			}
		}
	}
}

// One of two session cookies was planted by somebody else: the server accepts neither.
func TestTwoSessionCookiesAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	own := "_svc_session=" + b.Cookie("_svc_session")
	for _, both := range []string{own + "; _svc_session=other", "_svc_session=other; " + own, own + "; " + own} {
		if got := h.WithHeaders("Cookie", both).Send("GET", "/user", ""); got.Status != 401 {
			t.Errorf("the API answers %d", got.Status)
		}
		checkPage(t, h.Browser().Send("GET", "/-/profile", "", "Cookie", both), 400, "/-/profile", "two session cookies")
	}
}

func setCookieHeader(h http.Header, prefix string) string {
	for _, line := range h["Set-Cookie"] {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}

func cookieOf(h http.Header, name string) string {
	pair, _, _ := strings.Cut(setCookieHeader(h, name+"="), ";")
	return pair
}

func TestARememberedBrowserKeepsItsCookie(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := h.Browser()
	b.Get(signInPath)
	b.NoRedirects()
	page := b.Submit(signInPath, url.Values{"login": {u.Username}, "password": {harness.Password}, "remember_me": {"1"}})
	if cookie := setCookieHeader(page.Header, "_svc_session="); !strings.Contains(cookie, "Max-Age=2592000") {
		t.Errorf("the cookie is %q", cookie)
	}
}

func TestSignInDoesNotRevealWhichAccountsExist(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	bot := h.NewUser(func(u *model.User) { u.Kind = model.UserProjectBot }).User
	texts := map[string]bool{}
	for name, password := range map[string]string{
		u.Username: "wrong", "nobody": harness.Password, "nobody@example.com": "x", bot.Username: "", "": "",
	} {
		page := login(h.Browser(), name, password)
		checkPage(t, page, 422, signInPath, refused)
		texts[strings.ReplaceAll(page.Text(), name, "")] = true
	}
	if len(texts) != 1 {
		t.Errorf("there are %d answers", len(texts))
	}
}

func TestTooManyAttemptsLockTheAccountForATime(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	for range 10 {
		checkPage(t, login(h.Browser(), u.Username, "wrong"), 422, "", refused)
	}
	checkPage(t, login(h.Browser(), u.Username, harness.Password), 422, "", refused)
	if row, err := h.Store.Users.Get(t.Context(), u.ID); err != nil || row.LockedAt == nil {
		t.Fatalf("locked at %v, %v", row.LockedAt, err)
	}
	// Ten minutes later.
	past := time.Now().UTC().Add(-10*time.Minute - time.Second)
	if err := h.Store.Users.Update(t.Context(), u.ID, map[string]any{"locked_at": past}); err != nil {
		t.Fatal(err)
	}
	checkPage(t, login(h.Browser(), u.Username, harness.Password), 200, "/", u.Username)
	if row, err := h.Store.Users.Get(t.Context(), u.ID); err != nil || row.LockedAt != nil || row.FailedAttempts != 0 {
		t.Errorf("locked at %v after %d, %v", row.LockedAt, row.FailedAttempts, err)
	}
}

func TestBlockedAccountsCannotSignIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for state, want := range map[model.UserState]string{
		model.UserBlocked: "blocked", model.UserBanned: "blocked", model.UserPendingApproval: "pending approval",
	} {
		u := h.NewUserWithPassword(func(u *model.User) { u.State = state }).User
		checkPage(t, login(h.Browser(), u.Username, harness.Password), 403, signInPath, want)
		checkPage(t, login(h.Browser(), u.Username, "wrong"), 422, signInPath, refused)
	}
	sleeper := h.NewUserWithPassword(func(u *model.User) { u.State = model.UserDeactivated }).User
	checkPage(t, login(h.Browser(), sleeper.Username, harness.Password), 200, "/", sleeper.Username)
	if row, err := h.Store.Users.Get(t.Context(), sleeper.ID); err != nil || row.State != model.UserActive {
		t.Errorf("%s, %v", row.State, err)
	}
}

func TestASessionIsNewAtEverySignIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, other := h.NewUserWithPassword().User, h.NewUserWithPassword().User
	b := h.SignedIn(u)
	planted := b.Cookie("_svc_session")
	// An attacker plants their own session, or any text, in the browser of a user who then signs in.
	for _, value := range []string{planted, "planted-by-somebody"} {
		victim := h.Browser()
		victim.Get(signInPath)
		form, _ := victim.Page.Fields(signInPath)
		victim.SetCookie("_svc_session", value)
		form.Set("login", other.Username)
		form.Set("password", harness.Password)
		victim.Post(signInPath, form)
		if victim.Cookie("_svc_session") == value && strings.Contains(victim.Get("/").Text(), other.Username) {
			t.Error("the planted cookie is the session of who signed in")
		}
	}
	if got := h.WithHeaders("Cookie", "_svc_session="+planted).Send("GET", "/user", ""); strings.Contains(
		got.Body,
		`"`+other.Username+`"`,
	) {
		t.Errorf("the planted session is another's: %s", got.Body)
	}
}

func TestForgedFormsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := h.SignedIn(u)
	good, _ := b.Page.Fields("/users/sign_out")
	other := h.SignedIn(h.NewUserWithPassword().User)
	others, _ := other.Page.Fields("/users/sign_out")
	for name, c := range map[string]struct {
		form  url.Values
		pairs []string
	}{
		"no token":           {url.Values{}, nil},
		"a wrong token":      {url.Values{"authenticity_token": {"wrong"}}, nil},
		"another's token":    {others, nil},
		"another site":       {good, []string{"Sec-Fetch-Site", "cross-site"}},
		"a neighbour's site": {good, []string{"Sec-Fetch-Site", "same-site"}},
		"another origin":     {good, []string{"Origin", "https://evil.example.com"}},
		"no origin":          {good, []string{"Origin", "null"}},
	} {
		checkPage(t, b.Post("/users/sign_out", c.form, c.pairs...), 422, "/users/sign_out", "not sent from a page of this service")
		if !strings.Contains(b.Get("/").Text(), u.Username) {
			t.Fatalf("%s: signed out", name)
		}
	}
	// A token in the URL does not count, because it would appear in logs and histories.
	checkPage(t, b.Post("/users/sign_out?"+good.Encode(), url.Values{}), 422, "", "")
	// The same holds without a session: nobody can sign a user in as somebody else.
	stranger := h.Browser()
	form := url.Values{"login": {u.Username}, "password": {harness.Password}, "authenticity_token": {good.Get("authenticity_token")}}
	checkPage(t, stranger.Post(signInPath, form), 422, signInPath, "not sent from a page")
	checkPage(t, b.Post("/users/sign_out", good, "Sec-Fetch-Site", "same-origin"), 200, signInPath, "signed out")
	checkPage(t, b.Post("/users/sign_out", good), 422, "", "") // the form belongs to a session that has ended
}

func TestSigningInRedirectsOnlyWithinTheService(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	for back, want := range map[string]string{
		"/-/explorer": "/-/explorer", "/-/explorer?a=1&b=%2F": "/-/explorer?a=1&b=%2F",
		"/oauth/authorize?redirect_uri=https%3A%2F%2Fa.example%2Fb&state=x": "/oauth/authorize?" +
			"redirect_uri=https%3A%2F%2Fa.example%2Fb&state=x",
		"": "/", "https://evil.example.com/": "/", "//evil.example.com": "/", "/\\evil.example.com": "/", "\\\\evil.example.com": "/",
		"/\t/evil.example.com": "/", "javascript:alert(1)": "/", "evil": "/", "\u0020//evil.example.com": "/",
		"/\n//evil.example.com": "/", "http:/evil.example.com": "/", "%2F%2Fevil.example.com": "/",
	} {
		b := h.Browser()
		b.Get(signInPath + "?" + url.Values{"return_to": {back}}.Encode())
		b.NoRedirects()
		page := b.Submit(signInPath, url.Values{"login": {u.Username}, "password": {harness.Password}})
		if page.Status != 303 || page.Header.Get("Location") != want {
			t.Errorf("%q leads to %d %q, want %q", back, page.Status, page.Header.Get("Location"), want)
		}
		// The form itself may be changed on its way.
		again := h.Browser()
		again.Get(signInPath)
		again.NoRedirects()
		page = again.Submit(signInPath, url.Values{"login": {u.Username}, "password": {harness.Password}, "return_to": {back}})
		if page.Header.Get("Location") != want {
			t.Errorf("%q in the form leads to %q, want %q", back, page.Header.Get("Location"), want)
		}
	}
}

func TestBlockingEndsSessions(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := h.SignedIn(u)
	api := h.WithHeaders("Cookie", "_svc_session="+b.Cookie("_svc_session"))
	if got := api.Send("GET", "/user", ""); got.Status != 200 {
		t.Fatalf("the API does not take the session: %d %s", got.Status, got.Body)
	}
	root := h.Root()
	for _, step := range []string{"block", "unblock"} {
		if got := root.Send("POST", "/users/"+id(u)+"/"+step, ""); got.Status != 201 {
			t.Fatalf("%s: %d %s", step, got.Status, got.Body)
		}
		if got := api.Send("GET", "/user", ""); got.Status != 401 {
			t.Errorf("after %s: %d %s", step, got.Status, got.Body)
		}
		checkPage(t, b.Get("/"), 200, signInPath, "Sign in")
	}
	b = h.SignedIn(u)
	if got := root.JSON("PUT", "/users/"+id(u), `{"password":"another horse battery"}`); got.Status != 200 {
		t.Fatal(got)
	}
	checkPage(t, b.Get("/"), 200, signInPath, "Sign in")
}

func TestASessionLastsWhileItIsUsed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	digest := secret.Digest(b.Cookie("_svc_session"))
	row, _, err := h.Store.Sessions.FindByDigest(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now().UTC().Add(-time.Hour)
	if err := h.Store.Sessions.Touch(t.Context(), row.ID, before, before.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.Get("/")
	if row, _, err = h.Store.Sessions.FindByDigest(t.Context(), digest); err != nil || time.Until(row.ExpiresAt) < 23*time.Hour {
		t.Errorf("good until %v, %v", row.ExpiresAt, err)
	}
	if err := h.Store.Sessions.Touch(t.Context(), row.ID, before, before); err != nil {
		t.Fatal(err)
	}
	checkPage(t, b.Get("/"), 200, signInPath, "Sign in")
}

func TestErrorsArePagesForBrowsersAndJSONForPrograms(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	checkPage(t, b.Get("/no/such/page"), 404, "", "Page not found")
	checkPage(t, b.Post("/users/sign_in", url.Values{"a": {strings.Repeat("x", 2<<20)}}), 413, "", "too large")
	checkPage(t, b.Post("/users/sign_in", url.Values{"a": {"\x00"}}), 400, "", "UTF-8")
	checkPage(t, b.Get("/users/sign_in?"+strings.Repeat("x", 20000)), 414, "", "too long")
	if got := h.Anonymous().Send("GET", "/api/v4/none", "", "Accept", "text/html"); !strings.HasPrefix(got.Body, "{") {
		t.Errorf("the API answers %s", got.Body)
	}
	if got := h.Anonymous().Send("GET", "/-/none", "", "Accept", "application/json"); !strings.HasPrefix(got.Body, "{") {
		t.Errorf("a program gets %s", got.Body)
	}
	for _, password := range []string{harness.Password} {
		if strings.Contains(h.Logs.String(), password) {
			t.Error("the password is in the log")
		}
	}
}

func TestTheStyleSheetIsCachedForever(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	page := b.Get(signInPath)
	if n := strings.Count(page.Body, "<link rel=\"stylesheet\"") + strings.Count(page.Body, "<script") +
		strings.Count(page.Body, "<img"); n != 2 { // the style sheet and the script of all pages
		t.Errorf("the page asks for %d files", n)
	}
	_, rest, _ := strings.Cut(page.Body, `<link rel="stylesheet" href="`)
	path, _, _ := strings.Cut(rest, `"`)
	if got := h.Anonymous().Send("GET", path, ""); got.Status != 200 ||
		!strings.Contains(got.Header.Get("Cache-Control"), "immutable") || strings.Contains(got.Body, "http") {
		t.Errorf("%s: %d %v", path, got.Status, got.Header)
	}
}
