package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"

	"golang.org/x/oauth2"
)

const callback = "https://app.example.com/cb"

// app is a registered application with its secret.
type app struct {
	h                    *harness.H
	ID                   int64
	UID, Secret, Scopes  string
	RedirectURI          string
	Confidential, Quiets bool
}

// newApp registers an instance-wide application.
func newApp(h *harness.H, edit ...func(*app)) *app {
	h.T.Helper()
	a := &app{h: h, Scopes: "api read_user openid email profile", RedirectURI: callback, Confidential: true}
	for _, f := range edit {
		f(a)
	}
	body, err := json.Marshal(map[string]any{
		"name": "Test app", "redirect_uri": a.RedirectURI, "scopes": a.Scopes, "confidential": a.Confidential,
		"trusted": a.Quiets,
	})
	if err != nil {
		h.T.Fatal(err)
	}
	res := h.Root().JSON("POST", "/applications", string(body))
	if res.Status != 201 {
		h.T.Fatalf("%d %s", res.Status, res.Body)
	}
	var made struct {
		ID            int64  `json:"id"`
		ApplicationID string `json:"application_id"`
		Secret        string `json:"secret"`
	}
	if err := json.Unmarshal([]byte(res.Body), &made); err != nil {
		h.T.Fatal(err)
	}
	a.ID, a.UID, a.Secret = made.ID, made.ApplicationID, made.Secret
	return a
}

func public(a *app)  { a.Confidential = false }
func trusted(a *app) { a.Quiets = true }

// config returns the application as a golang.org/x/oauth2 configuration.
func (a *app) config(scopes ...string) *oauth2.Config {
	c := &oauth2.Config{
		ClientID: a.UID, ClientSecret: a.Secret, RedirectURL: callback, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: a.h.URL + "/oauth/authorize", TokenURL: a.h.URL + "/oauth/token"},
	}
	if !a.Confidential {
		c.ClientSecret = ""
	}
	return c
}

// checked is an HTTP transport for other libraries that checks every response against the OpenAPI document.
type checked struct{ *harness.Caller }

func (c checked) RoundTrip(r *http.Request) (*http.Response, error) { return c.Do(r) }

func (a *app) context() context.Context {
	client := &http.Client{Transport: checked{a.h.Anonymous()}}
	return context.WithValue(a.h.T.Context(), oauth2.HTTPClient, client)
}

// ask returns the parameters of an authorization request. The pairs add to them, and an empty value removes one.
func (a *app) ask(pairs ...string) url.Values {
	v := url.Values{"client_id": {a.UID}, "redirect_uri": {callback}, "response_type": {"code"}, "scope": {"api"}, "state": {"xyz"}}
	if !a.Confidential {
		v.Set("code_challenge", oauth2.S256ChallengeFromVerifier(verifier))
		v.Set("code_challenge_method", "S256")
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			v.Del(pairs[i])
		} else {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

const verifier = "a-verifier-of-at-least-forty-three-characters"

// person is a user with a browser that is signed in.
type person struct {
	*harness.Caller
	*harness.Browser
}

func newPerson(h *harness.H, edit ...func(*model.User)) person {
	h.T.Helper()
	u := h.NewUserWithPassword(edit...)
	b := h.SignedIn(u.User)
	b.NoRedirects()
	return person{u, b}
}

// allow grants the authorization request and returns the URL that the browser is redirected to.
func (p person) allow(t testing.TB, query url.Values) *url.URL {
	t.Helper()
	page := p.Get("/oauth/authorize?" + query.Encode())
	if page.Status == 200 {
		page = p.Submit("/oauth/authorize", nil)
	}
	return location(t, page)
}

func location(t testing.TB, page harness.Page) *url.URL {
	t.Helper()
	to, err := url.Parse(page.Header.Get("Location"))
	if err != nil || page.Status != 302 {
		t.Fatalf("%d %q %s", page.Status, page.Header.Get("Location"), page.Text())
	}
	return to
}

// code returns a new authorization code of the person for the application.
func (p person) code(t testing.TB, a *app, pairs ...string) string {
	t.Helper()
	to := p.allow(t, a.ask(pairs...))
	if to.Query().Get("code") == "" {
		t.Fatalf("no code in %s", to)
	}
	return to.Query().Get("code")
}

// token sends a token request with the credentials of the application. The pairs add parameters, and an empty value
// removes one.
func (a *app) token(pairs ...string) harness.Answer {
	a.h.T.Helper()
	v := url.Values{"client_id": {a.UID}}
	if a.Confidential {
		v.Set("client_secret", a.Secret)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			v.Del(pairs[i])
		} else {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return a.h.Anonymous().Form("POST", "/oauth/token", v.Encode())
}

// redeem exchanges a code for tokens.
func (a *app) redeem(code string, pairs ...string) harness.Answer {
	a.h.T.Helper()
	all := []string{"grant_type", "authorization_code", "code", code, "redirect_uri", callback}
	if !a.Confidential {
		all = append(all, "code_verifier", verifier)
	}
	return a.token(append(all, pairs...)...)
}

func (a *app) refresh(token string, pairs ...string) harness.Answer {
	a.h.T.Helper()
	return a.token(append([]string{"grant_type", "refresh_token", "refresh_token", token}, pairs...)...)
}

// pair has the tokens in a response.
type pair struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	IDToken      string `json:"id_token"`
	TokenType    string `json:"token_type"`
	Scope        string `json:"scope"`
	ExpiresIn    int64  `json:"expires_in"`
	CreatedAt    int64  `json:"created_at"`
}

func tokens(t testing.TB, a harness.Answer) pair {
	t.Helper()
	var p pair
	if err := json.Unmarshal([]byte(a.Body), &p); err != nil || a.Status != 200 {
		t.Fatalf("%d %s: %v", a.Status, a.Body, err)
	}
	return p
}

// tokenIsValid reports whether an access token is valid for the API.
func tokenIsValid(h *harness.H, token string) bool {
	h.T.Helper()
	switch got := h.WithHeaders("Authorization", "Bearer "+token).Send("GET", "/user", ""); got.Status {
	case 200:
		return true
	case 401, 403:
		return false
	default:
		h.T.Fatalf("%d %s", got.Status, got.Body)
		return false
	}
}

// expectOAuthError checks that a response is an error in the format of RFC 6749.
func expectOAuthError(t testing.TB, a harness.Answer, status int, code string) {
	t.Helper()
	var body struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil || a.Status != status || body.Error != code || body.Description == "" {
		t.Errorf("%d %s, want %d %s", a.Status, a.Body, status, code)
	}
	if got := a.Header.Get("WWW-Authenticate"); !strings.HasPrefix(got, `Bearer realm="Doorkeeper", error="`+code+`"`) {
		t.Errorf("WWW-Authenticate is %q", got)
	}
	if a.Header.Get("Cache-Control") != "no-store" {
		t.Error("the answer may be kept")
	}
}

// movedBack moves the times in a column into the past, instead of waiting.
func movedBack(t testing.TB, h *harness.H, table, column string, by time.Duration) {
	t.Helper()
	at := time.Now().UTC().Add(-by).Format("2006-01-02 15:04:05.000000+00:00")
	if _, err := h.Store.SQL().ExecContext(t.Context(),
		fmt.Sprintf("UPDATE %s SET %s = '%s' WHERE %s IS NOT NULL", table, column, at, column)); err != nil {
		t.Fatal(err)
	}
}
