package api

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/secret"
	"svc/tests/harness"
)

// signInAgainURL returns the URL of the sign-in page that asks the person to sign in again.
func signInAgainURL(t *testing.T, p person, query url.Values) *url.URL {
	t.Helper()
	to := location(t, p.Get("/oauth/authorize?"+query.Encode()))
	if to.Path != "/users/sign_in" || to.Query().Get("again") == "" {
		t.Fatalf("led to %s", to)
	}
	if page := p.Get(to.RequestURI()); page.Status != 200 || !strings.Contains(page.Text(), "requires you to sign in again") {
		t.Fatalf("%d %s", page.Status, page.Text())
	}
	return to
}

// signInAgainFor requests an authorization for which the person must sign in again, with a session of one hour ago.
func signInAgainFor(t *testing.T, a *app, p person, query url.Values) {
	t.Helper()
	movedBack(t, a.h, "sessions", "created_at", time.Hour)
	before := time.Now().Unix()
	to := signInAgainURL(t, p, query)
	// A user who skips the sign-in is sent back to it.
	if to := location(t, p.Get(to.Query().Get("return_to"))); to.Path != "/users/sign_in" {
		t.Errorf("%v: led to %s without signing in", query, to)
	}
	p.Get(to.RequestURI())
	old := p.Cookie("_svc_session")
	back := next(t, p.Submit("/users/sign_in", url.Values{"password": {harness.Password}}))
	if p.Cookie("_svc_session") == old {
		t.Error("the session is the same")
	}
	code := location(t, p.Get(back.RequestURI())).Query().Get("code")
	if code == "" {
		t.Fatalf("%v: there is no code", query)
	}
	given := tokens(t, a.redeem(code))
	if query.Get("scope") == "openid" {
		if at := authTime(t, given.IDToken); at < before || at > time.Now().Unix() {
			t.Errorf("auth_time is %d, want one after %d", at, before)
		}
	}
	// A sign-in for this request counts neither for another request nor later.
	other := back.Query()
	other.Set("state", "another")
	if to := location(t, p.Get("/oauth/authorize?"+other.Encode())); query.Get("max_age") != "60" &&
		to.Path != "/users/sign_in" {
		t.Errorf("%v: another request is led to %s", query, to)
	}
}

// An application may demand that the user signs in again. The ID token then has the time of that sign-in.
func TestAnApplicationWantsTheUserToSignInAgain(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h, trusted), newPerson(h)
	movedBack(t, h, "sessions", "created_at", time.Hour)
	for _, query := range []url.Values{
		a.ask("prompt", "login", "scope", "openid"), a.ask("prompt", "select_account"), a.ask("max_age", "60"),
		a.ask("max_age", "0"),
	} {
		signInAgainFor(t, a, p, query)
	}
	for _, fine := range []url.Values{
		a.ask("max_age", "7200"), a.ask("max_age", strconv.Itoa(1<<30)), a.ask("prompt", "none", "max_age", "7200"),
	} {
		if to := p.allow(t, fine); to.Query().Get("code") == "" {
			t.Errorf("%v: led to %s", fine, to)
		}
	}
	movedBack(t, h, "sessions", "created_at", time.Hour)
	for want, query := range map[string]url.Values{
		"login_required":  a.ask("prompt", "none", "max_age", "60"),
		"invalid_request": a.ask("max_age", "-1"),
	} {
		if to := p.allow(t, query); to.Query().Get("error") != want || to.Query().Get("state") != "xyz" {
			t.Errorf("%v: led to %s", query, to)
		}
	}
	for _, bad := range []string{"x", "1.5", "99999999999999999999"} {
		if to := p.allow(t, a.ask("max_age", bad)); to.Query().Get("error") != "invalid_request" {
			t.Errorf("max_age=%s: led to %s", bad, to)
		}
	}
}

// A user who has just signed in is not asked to do it again. A second factor is part of the sign-in.
func TestSigningInOnceIsEnough(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, u := newApp(h, trusted), h.NewUserWithPassword()
	b := h.Browser()
	b.Get("/oauth/authorize?" + a.ask("prompt", "login", "max_age", "0").Encode())
	b.NoRedirects()
	back := next(t, b.Submit("/users/sign_in", url.Values{"login": {u.User.Username}, "password": {harness.Password}}))
	if to := location(t, b.Get(back.RequestURI())); to.Query().Get("code") == "" {
		t.Errorf("led to %s", to)
	}
}

func TestTheSecondFactorIsAskedForAgain(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h, trusted), newPerson(h)
	const setup = "/-/profile/two_factor_auth"
	page := p.Get(setup)
	_, text, _ := strings.Cut(page.Body, `<code class="mono">`)
	text, _, _ = strings.Cut(text, "<")
	key, err := secret.ParseTOTP(text)
	if err != nil {
		t.Fatal(err)
	}
	page = p.Submit(setup, url.Values{"code": {secret.TOTPCode(key, time.Now())}, "current_password": {harness.Password}})
	if page.Status == 303 {
		page = p.Get(next(t, page).RequestURI())
	}
	_, codes, _ := strings.Cut(page.Body, `<li><code>`)
	recovery, _, _ := strings.Cut(codes, "<")
	to := signInAgainURL(t, p, a.ask("prompt", "login"))
	step := next(t, p.Submit("/users/sign_in", url.Values{"password": {harness.Password}}))
	if step.Path != "/users/two_factor" {
		t.Fatalf("led to %s", step)
	}
	// The password without the second factor is not enough.
	if to := location(t, p.Get(to.Query().Get("return_to"))); to.Path != "/users/sign_in" {
		t.Errorf("led to %s", to)
	}
	p.Get("/users/two_factor")
	back := next(t, p.Submit("/users/two_factor", url.Values{"code": {recovery}}))
	if to := location(t, p.Get(back.RequestURI())); to.Query().Get("code") == "" {
		t.Errorf("led to %s", to)
	}
}

// next returns the redirect target of a submitted form.
func next(t *testing.T, page harness.Page) *url.URL {
	t.Helper()
	to, err := url.Parse(page.Header.Get("Location"))
	if page.Status != 303 || err != nil {
		t.Fatalf("%d %s", page.Status, page.Text())
	}
	return to
}

func authTime(t *testing.T, token string) int64 {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("%q is no token", token)
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		AuthTime int64 `json:"auth_time"`
	}
	if err == nil {
		err = json.Unmarshal(data, &claims)
	}
	if err != nil {
		t.Fatal(err)
	}
	return claims.AuthTime
}

// The service does not hash a password that looks like a token, which keeps this test quick. Password attempts are
// limited by IP address, whatever the usernames. Other grants are not limited.
func TestPasswordAttemptsAreLimitedByIPAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	code := p.code(t, a)
	var last harness.Answer
	for i := range 121 { // enough requests even if a rate limit window ends in between
		last = h.Anonymous().Form("POST", "/oauth/token", url.Values{
			"grant_type": {"password"}, "username": {"nobody" + strconv.Itoa(i)},
			"password": {secret.TokenPrefix + "x"},
		}.Encode())
		if last.Status == 429 {
			break
		}
	}
	if wait, err := strconv.Atoi(last.Header.Get("Retry-After")); last.Status != 429 || err != nil || wait < 1 || wait > 60 {
		t.Fatalf("%d %s, Retry-After %q", last.Status, last.Body, last.Header.Get("Retry-After"))
	}
	if last.Body != `{"error":"temporarily_unavailable","error_description":"There were too many attempts with `+
		`passwords from this address. Try again later."}` {
		t.Error(last.Body)
	}
	if got := a.redeem(code); got.Status != 200 {
		t.Errorf("a code: %d %s", got.Status, got.Body)
	}
}
