package api

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func basicAuth(a *app) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(a.UID+":"+a.Secret))
}

// A user who is not signed in signs in and returns to the consent page.
func TestAuthorizationBeginsWithSigningIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, u := newApp(h), h.NewUserWithPassword()
	b := h.Browser()
	if page := b.Get("/oauth/authorize?" + a.ask().Encode()); page.Status != 200 || page.URL.Path != "/users/sign_in" {
		t.Fatalf("%d %s", page.Status, page.URL)
	}
	page := b.Submit("/users/sign_in", url.Values{"login": {u.User.Username}, "password": {harness.Password}})
	if page.Status != 200 || page.URL.Path != "/oauth/authorize" || !strings.Contains(page.Text(), "Test app") ||
		!strings.Contains(page.Text(), "api") {
		t.Fatalf("%d %s %s", page.Status, page.URL, page.Text())
	}
	if csp := page.Header.Get("Content-Security-Policy"); strings.Contains(csp, "form-action") {
		t.Errorf("the browser would not follow the form to the application: %s", csp)
	}
	b.NoRedirects()
	to := location(t, b.Submit("/oauth/authorize", nil))
	if to.Query().Get("code") == "" || to.Query().Get("state") != "xyz" {
		t.Errorf("led to %s", to)
	}
}

// With a wrong application or redirect URI the browser is not redirected. Every other error is reported to the
// application.
func TestInvalidAuthorizationRequestsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	for name, query := range map[string]string{
		"unknown application":    a.ask("client_id", "unknown").Encode(),
		"no application":         a.ask("client_id", "").Encode(),
		"another redirect URI":   a.ask("redirect_uri", "https://evil.example.com/cb").Encode(),
		"a longer redirect URI":  a.ask("redirect_uri", callback+"/more").Encode(),
		"no redirect URI":        a.ask("redirect_uri", "").Encode(),
		"a fragment":             a.ask("redirect_uri", callback+"#x").Encode(),
		"a script":               a.ask("redirect_uri", "javascript:alert(1)").Encode(),
		"two applications":       a.ask().Encode() + "&client_id=x",
		"two redirect URIs":      a.ask().Encode() + "&redirect_uri=https://evil.example.com",
		"NUL in the application": a.ask("client_id", "a\x00").Encode(),
		"a broken query":         a.ask().Encode() + "&x=%zz",
	} {
		page := p.Get("/oauth/authorize?" + query)
		if page.Status != 400 || page.Header.Get("Location") != "" {
			t.Errorf("%s: %d %q", name, page.Status, page.Header.Get("Location"))
		}
	}
	for name, c := range map[string]struct{ query, want string }{
		"implicit":             {a.ask("response_type", "token").Encode(), "unsupported_response_type"},
		"no response type":     {a.ask("response_type", "").Encode(), "invalid_request"},
		"unknown scope":        {a.ask("scope", "api unknown").Encode(), "invalid_scope"},
		"scope not enabled":    {a.ask("scope", "write_repository").Encode(), "invalid_scope"},
		"two scopes":           {a.ask().Encode() + "&scope=read_user", "invalid_request"},
		"two states":           {a.ask().Encode() + "&state=xyz", "invalid_request"},
		"response mode":        {a.ask("response_mode", "form_post").Encode(), "unsupported_response_mode"},
		"request object":       {a.ask("request", "x").Encode(), "request_not_supported"},
		"request URI":          {a.ask("request_uri", "https://x").Encode(), "request_uri_not_supported"},
		"silent and not":       {a.ask("prompt", "none consent").Encode(), "invalid_request"},
		"silent":               {a.ask("prompt", "none").Encode(), "consent_required"},
		"method, no challenge": {a.ask("code_challenge_method", "S256").Encode(), "invalid_request"},
	} {
		to := location(t, p.Get("/oauth/authorize?"+c.query))
		got := to.Query()
		if got.Get("error") != c.want || got.Get("error_description") == "" || got.Get("state") != "xyz" ||
			got.Get("iss") != h.URL || !strings.HasPrefix(to.String(), callback+"?") {
			t.Errorf("%s: led to %s", name, to)
		}
	}
	b := h.Browser()
	b.NoRedirects()
	if to := location(t, b.Get("/oauth/authorize?"+a.ask("prompt", "none").Encode())); to.Query().Get("error") != "login_required" {
		t.Errorf("led to %s", to)
	}
	// A mere link does not redirect a user who is not signed in to the application.
	if to := location(t, b.Get("/oauth/authorize?"+a.ask("scope", "unknown").Encode())); to.Path != "/users/sign_in" {
		t.Errorf("led to %s", to)
	}
	if page := p.Get("/oauth/authorize?" + a.ask("state", strings.Repeat("x", 1<<20)).Encode()); page.Status != 414 {
		t.Errorf("a state of 1 MB: %d", page.Status)
	}
}

// state comes back byte for byte, even if it is not valid UTF-8.
func TestTheStateParameterComesBackUnchanged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	for _, state := range []string{"x", "a b+c%20&=#?/\\\"<>'", "ключ 鍵", "\xff\xfe\x80", strings.Repeat("s", 8000)} {
		if to := p.allow(t, a.ask("state", state, "prompt", "consent")); to.Query().Get("state") != state || to.Query().Get("code") == "" {
			t.Errorf("%q came back as %q", state, to.Query().Get("state"))
		}
	}
	if to := p.allow(t, a.ask("state", "")); to.Query().Has("state") {
		t.Errorf("led to %s", to)
	}
	if to := p.allow(t, a.ask("response_mode", "fragment")); to.RawQuery != "" ||
		!strings.Contains(to.Fragment, "code=") || !strings.Contains(to.Fragment, "state=xyz") {
		t.Errorf("led to %s", to)
	}
}

// A user is asked once for the same scopes. A trusted application does not ask.
func TestAUserIsAskedOnceForConsent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, quiet, p := newApp(h), newApp(h, trusted), newPerson(h)
	asked := func(a *app, pairs ...string) bool {
		t.Helper()
		page := p.Get("/oauth/authorize?" + a.ask(pairs...).Encode())
		return page.Status == 200
	}
	if !asked(a) || asked(quiet) || !asked(quiet, "prompt", "consent") {
		t.Error("the wrong ones are asked")
	}
	pair := tokens(t, a.redeem(p.code(t, a, "scope", "api read_user")))
	if asked(a) || asked(a, "scope", "read_user") || !asked(a, "scope", "api openid") || !asked(a, "prompt", "consent") {
		t.Error("what was allowed is asked again, or more is not")
	}
	if to := p.allow(t, a.ask("prompt", "none")); to.Query().Get("code") == "" {
		t.Errorf("led to %s", to)
	}
	expect(t, h.WithHeaders("Authorization", basicAuth(a)).Form("POST", "/oauth/revoke", "token="+pair.RefreshToken), 200, `{}`)
	if !asked(a) {
		t.Error("nobody is asked after the token is revoked")
	}
}

// The service sends a code to an application without a secret, without asking, only where nobody else can receive it.
func TestPublicApplicationsNeedConsentUnlessTheirRedirectURIIsVerified(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := newPerson(h)
	const loopback, native, other, plain = "http://127.0.0.1/cb", "com.example.app:/cb",
		"https://other.example.com/cb", "http://app.example.com/cb"
	all := strings.Join([]string{callback, loopback, native, other, plain}, "\n")
	open, secret := newApp(h, public, func(a *app) { a.RedirectURI = all }), newApp(h, func(a *app) { a.RedirectURI = all })
	asked := func(a *app, uri string) bool {
		t.Helper()
		return p.Get("/oauth/authorize?"+a.ask("redirect_uri", uri).Encode()).Status == 200
	}
	redeem := func(a *app, uri string) {
		t.Helper()
		tokens(t, a.redeem(p.code(t, a, "redirect_uri", uri), "redirect_uri", uri))
	}
	for _, uri := range []string{callback, loopback, native, plain} {
		redeem(open, uri)
	}
	redeem(secret, native)
	for _, c := range []struct {
		app  *app
		uri  string
		want bool
	}{
		{open, callback, false},
		{open, loopback, false},
		{open, "http://127.0.0.1:4711/cb", false},
		{open, native, true},
		{open, plain, true},
		{open, other, true},
		{secret, callback, false},
		{secret, plain, false},
		{secret, native, true},
	} {
		if got := asked(c.app, c.uri); got != c.want {
			t.Errorf("confidential %v, %s: asked is %v", c.app.Confidential, c.uri, got)
		}
	}
}

// A redirect URI that was registered before its scheme was forbidden gets no code.
func TestNoCodeIsSentToAForbiddenRedirectURI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	expect(t, h.Root().JSON("POST", "/applications", `{"name":"x","redirect_uri":"file:///tmp/x","scopes":"api"}`),
		400, `{"message":{"redirect_uri":["is forbidden by the server."]}}`)
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE oauth_applications SET redirect_uri = 'file:///tmp/x'"); err != nil {
		t.Fatal(err)
	}
	if page := p.Get("/oauth/authorize?" + a.ask("redirect_uri", "file:///tmp/x").Encode()); page.Status != 400 {
		t.Errorf("%d %s", page.Status, page.Text())
	}
}

func TestDenyingAnAuthorizationReturnsAccessDenied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	page := p.Get("/oauth/authorize?" + a.ask().Encode())
	fields, _ := page.Fields("/oauth/authorize")
	fields.Set("_method", "delete")
	for _, to := range []*url.URL{
		location(t, p.Post("/oauth/authorize", fields)),
		location(t, p.Browser.Send("DELETE", "/oauth/authorize", fields.Encode(), "Content-Type",
			"application/x-www-form-urlencoded", "X-CSRF-Token", fields.Get("authenticity_token"))),
	} {
		if got := to.Query(); got.Get("error") != "access_denied" || got.Get("state") != "xyz" ||
			got.Get("iss") != h.URL || got.Has("code") {
			t.Errorf("led to %s", to)
		}
	}
	// Without a session, nobody can deny the request.
	b := h.Browser()
	b.NoRedirects()
	if page := b.Post("/oauth/authorize", fields); page.Status != 303 {
		t.Errorf("%d", page.Status)
	}
}

// The consent form works once, in its own session and from our own page.
func TestTheConsentFormCannotBeForged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p, other := newApp(h), newPerson(h), newPerson(h)
	page := p.Get("/oauth/authorize?" + a.ask().Encode())
	fields, ok := page.Fields("/oauth/authorize")
	if !ok {
		t.Fatal(page.Text())
	}
	with := func(name, value string) url.Values {
		v := url.Values{}
		for k, values := range fields {
			v[k] = values
		}
		v.Set(name, value)
		return v
	}
	no := func(name string, got harness.Page) {
		t.Helper()
		if got.Status != 422 || got.Header.Get("Location") != "" {
			t.Errorf("%s: %d %q", name, got.Status, got.Header.Get("Location"))
		}
	}
	no("no CSRF token", p.Post("/oauth/authorize", with("authenticity_token", "")))
	no("a wrong CSRF token", p.Post("/oauth/authorize", with("authenticity_token", strings.Repeat("A", 43))))
	no("no ticket", p.Post("/oauth/authorize", with("ticket", "")))
	no("a changed ticket", p.Post("/oauth/authorize", with("ticket", fields.Get("ticket")[:40]+"AAAA"+fields.Get("ticket")[44:])))
	no("another site", p.Post("/oauth/authorize", fields, "Origin", "https://evil.example.com"))
	no("another site, by its fetch", p.Post("/oauth/authorize", fields, "Sec-Fetch-Site", "cross-site"))
	theirs, _ := other.Get("/oauth/authorize?" + a.ask().Encode()).Fields("/oauth/authorize")
	no("the ticket of somebody else", p.Post("/oauth/authorize", with("ticket", theirs.Get("ticket"))))
	to := location(t, p.Post("/oauth/authorize", fields))
	if to.Query().Get("code") == "" {
		t.Errorf("led to %s", to)
	}
	no("the same form again", p.Post("/oauth/authorize", fields))
	tokens(t, a.redeem(to.Query().Get("code")))
	no("the same form after the code was used", p.Post("/oauth/authorize", fields))
	if page := p.Get("/oauth/authorize?" + a.ask("prompt", "consent").Encode()); page.Header.Get("X-Frame-Options") != "DENY" {
		t.Error("the question may be framed")
	}
}

// An application without a redirect URI has its code shown to the user.
func TestAnApplicationWithoutARedirectURIHasItsCodeShown(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	const oob = "urn:ietf:wg:oauth:2.0:oob"
	a, p := newApp(h, func(a *app) { a.RedirectURI = oob }), newPerson(h)
	to := p.allow(t, a.ask("redirect_uri", oob))
	code := to.Query().Get("code")
	if !strings.HasPrefix(to.String(), h.URL+"/oauth/authorize/native?code=") {
		t.Fatalf("led to %s", to)
	}
	if page := p.Get(to.RequestURI()); page.Status != 200 || !strings.Contains(page.Text(), code) {
		t.Errorf("%d %s", page.Status, page.Text())
	}
	tokens(t, a.redeem(code, "redirect_uri", oob))
	for _, bad := range []string{"", "?code=", "?code=<script>", "?code=x"} {
		if page := p.Get("/oauth/authorize/native" + bad); page.Status != 400 {
			t.Errorf("%q: %d", bad, page.Status)
		}
	}
	if page := p.Get("/oauth/authorize?" + a.ask("redirect_uri", oob, "scope", "unknown").Encode()); page.Status != 400 ||
		!strings.Contains(page.Text(), "invalid_scope") {
		t.Errorf("%d %s", page.Status, page.Text())
	}
}

// Only administrators can grant their scopes. Loopback redirect URIs may use another port. The consent page does not
// name a group that the user cannot see.
func TestOnlyAdministratorsGrantAdministratorScopes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a := newApp(h, func(a *app) { a.Scopes, a.RedirectURI = "api sudo", "http://127.0.0.1/cb" })
	p, boss := newPerson(h), newPerson(h, func(u *model.User) { u.Admin = true })
	const port = "http://127.0.0.1:54321/cb"
	if to := p.allow(t, a.ask("scope", "sudo", "redirect_uri", port)); to.Query().Get("error") != "invalid_scope" ||
		to.Host != "127.0.0.1:54321" {
		t.Errorf("led to %s", to)
	}
	to := boss.allow(t, a.ask("scope", "sudo api", "redirect_uri", port))
	pair := tokens(t, a.redeem(to.Query().Get("code"), "redirect_uri", port))
	sudo := h.WithHeaders("Authorization", "Bearer "+pair.AccessToken, "Sudo", p.User.Username)
	if got := sudo.Send("GET", "/user", ""); got.Status != 200 ||
		member(t, got, "username") != p.User.Username {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	group := h.Group(func(g *model.Namespace) { g.Name = "Hidden" })
	app := model.OAuthApplication{
		UID: strings.Repeat("ab", 32), Name: "Of a group", SecretDigest: []byte("x"), RedirectURI: callback,
		Scopes: "api", Confidential: true, NamespaceID: &group.ID,
	}
	if err := h.Store.OAuthApplications.Create(t.Context(), &app); err != nil {
		t.Fatal(err)
	}
	ask := a.ask("client_id", app.UID).Encode()
	if page := p.Get("/oauth/authorize?" + ask); page.Status != 200 || strings.Contains(page.Body, "Hidden") {
		t.Errorf("%d %s", page.Status, page.Text())
	}
	if page := boss.Get("/oauth/authorize?" + ask); !strings.Contains(page.Body, "Hidden") {
		t.Errorf("%d %s", page.Status, page.Text())
	}
	h.Join(group, p.User, model.Guest)
	if page := p.Get("/oauth/authorize?" + ask); !strings.Contains(page.Body, "Hidden") {
		t.Errorf("%d %s", page.Status, page.Text())
	}
}

func TestOAuthCORS(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	page := h.WithHeaders("Origin", "https://app.example.com")
	for _, c := range []struct {
		path, method, headers string
		may                   bool
	}{
		{"/oauth/token", "POST", "", true},
		{"/oauth/token", "POST", "authorization, content-type", true},
		{"/oauth/token", "POST", "x-requested-with", false},
		{"/oauth/token", "POST", "Authorization,X-Requested-With", false},
		{"/oauth/token", "GET", "", false},
		{"/oauth/revoke", "POST", "authorization", true},
		{"/oauth/revoke", "DELETE", "", false},
		{"/oauth/userinfo", "GET", "authorization", true},
		{"/oauth/userinfo", "POST", "authorization", true},
		{"/oauth/userinfo", "GET", "private-token", false},
		{"/oauth/token/info", "GET", "authorization", true},
		{"/.well-known/openid-configuration", "GET", "accept", true},
		{"/.well-known/openid-configuration", "GET", "authorization", false},
		{"/oauth/discovery/keys", "GET", "", true},
	} {
		got := page.Send("OPTIONS", c.path, "", "Access-Control-Request-Method", c.method, "Access-Control-Request-Headers", c.headers)
		allowed := 0
		for name := range got.Header {
			if strings.HasPrefix(name, "Access-Control-Allow-") {
				allowed++
			}
		}
		if got.Status != 204 || (allowed > 0) != c.may || got.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%v: %d %v", c, got.Status, got.Header)
		}
	}
	if got := page.Form("POST", "/oauth/token", ""); got.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%v", got.Header)
	}
	for _, path := range []string{"/oauth/introspect", "/oauth/authorize"} {
		got := page.Send("OPTIONS", path, "", "Access-Control-Request-Method", "POST")
		if got.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
}
