package api

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
)

// The code flow of an application without a secret, run by an independent library.
func TestOAuthCodeFlowWithPKCE(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h, public), newPerson(h)
	c, proof := a.config("read_user", "api"), oauth2.GenerateVerifier()

	asked, err := url.Parse(c.AuthCodeURL("st/a te", oauth2.S256ChallengeOption(proof)))
	if err != nil {
		t.Fatal(err)
	}
	to := p.allow(t, asked.Query())
	if got := to.Query(); got.Get("state") != "st/a te" || got.Get("iss") != h.URL || !strings.HasPrefix(to.String(), callback+"?") {
		t.Errorf("led to %s", to)
	}
	token, err := c.Exchange(a.context(), to.Query().Get("code"), oauth2.VerifierOption(proof))
	if err != nil {
		t.Fatal(err)
	}
	expectFreshToken(t, token)
	token.Expiry = time.Now().Add(-time.Minute) // makes the library refresh it
	next, err := c.TokenSource(a.context(), token).Token()
	if err != nil {
		t.Fatal(err)
	}
	if tokenIsValid(h, token.AccessToken) || !tokenIsValid(h, next.AccessToken) || next.RefreshToken == token.RefreshToken {
		t.Error("the old token goes on, or the new one does not")
	}
	for _, secret := range []string{to.Query().Get("code"), token.AccessToken, next.RefreshToken, proof} {
		if strings.Contains(h.Logs.String(), secret) {
			t.Error("the log has a secret")
		}
	}
}

// expectFreshToken checks a token for two hours with the scopes read_user and api.
func expectFreshToken(t *testing.T, token *oauth2.Token) {
	t.Helper()
	if token.Type() != "Bearer" || len(token.AccessToken) != 64 || len(token.RefreshToken) != 64 ||
		token.Extra("scope") != "read_user api" {
		t.Errorf("%+v", token)
	}
	if left := time.Until(token.Expiry); left < 7100*time.Second || left > 7200*time.Second {
		t.Errorf("it expires in %s", left)
	}
}

// The code flow of an application with a secret, sent in the header or as a parameter.
func TestOAuthCodeFlowWithSecret(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleInHeader, oauth2.AuthStyleInParams} {
		c := a.config("api")
		c.Endpoint.AuthStyle = style
		token, err := c.Exchange(a.context(), p.code(t, a))
		if err != nil {
			t.Fatal(err)
		}
		if !tokenIsValid(h, token.AccessToken) {
			t.Error("the token is not good")
		}
		c.ClientSecret = "wrong"
		if _, err := c.Exchange(a.context(), p.code(t, a)); err == nil || !strings.Contains(err.Error(), "invalid_client") {
			t.Errorf("with a wrong secret: %v", err)
		}
	}
	res := a.redeem(p.code(t, a))
	got := tokens(t, res)
	if got.TokenType != "bearer" || got.ExpiresIn != 7200 || got.Scope != "api" || got.IDToken != "" ||
		time.Since(time.Unix(got.CreatedAt, 0)).Abs() > time.Minute {
		t.Errorf("%+v", got)
	}
	if res.Header.Get("Cache-Control") != "no-store" || res.Header.Get("Pragma") != "no-cache" ||
		res.Header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%v", res.Header)
	}
}

// An access token is valid for the API in every place that the OpenAPI document names, and for git.
func TestOAuthTokensAreAcceptedByTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h, func(a *app) { a.Scopes = "api read_user read_repository" }), newPerson(h)
	token := tokens(t, a.redeem(p.code(t, a))).AccessToken
	want := h.WithHeaders("PRIVATE-TOKEN", p.Token).Send("GET", "/user", "").Body
	for name, got := range map[string]harness.Answer{
		"bearer":        h.WithHeaders("Authorization", "Bearer "+token).Send("GET", "/user", ""),
		"access_token":  h.Anonymous().Send("GET", "/user?access_token="+token, ""),
		"PRIVATE-TOKEN": h.WithHeaders("PRIVATE-TOKEN", token).Send("GET", "/user", ""),
	} {
		if got.Status != 200 || got.Body != want {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	statements := func(name, value string) int64 {
		before := h.Store.Statements()
		h.WithHeaders(name, value).Send("GET", "/user", "")
		return h.Store.Statements() - before
	}
	if one, other := statements("Authorization", "Bearer "+token), statements("PRIVATE-TOKEN", p.Token); one != other {
		t.Errorf("a call by OAuth token has %d statements, by personal token %d", one, other)
	}
	narrow := tokens(t, a.redeem(p.code(t, a, "scope", "read_user"))).AccessToken
	if got := h.WithHeaders("Authorization", "Bearer "+narrow).JSON("POST", "/projects", `{"name":"x"}`); got.Status != 403 ||
		!strings.Contains(got.Body, "insufficient_scope") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	project := member(t, p.Caller.JSON("POST", "/projects", `{"name":"x","initialize_with_readme":true}`), "path_with_namespace")
	for scope, may := range map[string]bool{"read_repository": true, "read_user": false} {
		token := tokens(t, a.redeem(p.code(t, a, "scope", scope))).AccessToken
		got := h.Anonymous().SendBasic("GET", "/"+project.(string)+".git/info/refs?service=git-upload-pack", "oauth2", token)
		if (got.Status == 200) != may {
			t.Errorf("git with %s: %d %s", scope, got.Status, got.Body)
		}
	}
	movedBack(t, h, "oauth_tokens", "expires_at", 0)
	if got := h.WithHeaders("Authorization", "Bearer "+token).Send("GET", "/user", ""); got.Status != 401 ||
		!strings.Contains(got.Body, "Token is expired.") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// OpenID Connect with an independent library: discovery, keys, ID token, userinfo.
func TestOpenIDConnect(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a := newApp(h)
	p := newPerson(h, named("ann"), func(u *model.User) { u.WebsiteURL = "https://ann.example.com" })
	top := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	h.Group(func(g *model.Namespace) { g.Path, g.ParentID = "web", &top.ID })
	h.Join(top, p.User, model.Owner)

	provider, err := oidc.NewProvider(a.context(), h.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := a.config("openid", "email")
	c.Endpoint = provider.Endpoint()
	token, err := c.Exchange(a.context(), p.code(t, a, "scope", "openid email", "nonce", "n-1"))
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := token.Extra("id_token").(string)
	id := verifiedIDToken(t, a, provider, raw)
	expectClaims(t, h, id)
	info, err := provider.UserInfo(a.context(), oauth2.StaticTokenSource(token))
	if err != nil {
		t.Fatal(err)
	}
	if info.Subject != id.Subject || info.Email != "ann@example.com" || !info.EmailVerified {
		t.Errorf("%+v", info)
	}
	got := h.Anonymous().Form("POST", "/oauth/userinfo", "access_token="+token.AccessToken)
	h.Golden("getOauthUserinfo/owner", strings.ReplaceAll(got.Body, `"sub":"`+id.Subject+`"`, `"sub":"1"`))

	// Without the scope email, only a public address is shown. A refresh gives a new ID token, without the nonce.
	plain := tokens(t, a.redeem(p.code(t, a, "scope", "openid", "nonce", "n-2")))
	if got := h.WithHeaders("Authorization", "Bearer "+plain.AccessToken).Send("GET", "/oauth/userinfo", ""); got.Status != 200 ||
		strings.Contains(got.Body, "email") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	again := verifiedIDToken(t, a, provider, tokens(t, a.refresh(plain.RefreshToken)).IDToken)
	if again.Nonce != "" || again.Subject != id.Subject {
		t.Errorf("%+v", again)
	}
}

// verifiedIDToken verifies an ID token for the application.
func verifiedIDToken(t *testing.T, a *app, provider *oidc.Provider, raw string) *oidc.IDToken {
	t.Helper()
	id, err := provider.Verifier(&oidc.Config{ClientID: a.UID}).Verify(a.context(), raw)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func expectClaims(t *testing.T, h *harness.H, id *oidc.IDToken) {
	t.Helper()
	var told map[string]any
	if err := id.Claims(&told); err != nil {
		t.Fatal(err)
	}
	if id.Nonce != "n-1" || id.Issuer != h.URL || told["email"] != "ann@example.com" ||
		told["email_verified"] != true || told["auth_time"] == nil ||
		!cmp.Equal(told["groups_direct"], []any{"acme"}) {
		t.Errorf("%+v", told)
	}
}

func TestUserInfoNeedsAToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	old := tokens(t, a.redeem(p.code(t, a, "scope", "openid")))
	tokens(t, a.refresh(old.RefreshToken))
	narrow := tokens(t, a.redeem(p.code(t, a, "scope", "api")))
	for _, c := range []struct {
		name, token string
		status      int
		says        string
	}{
		{"none", "", 401, `error="invalid_token", error_description="The access token is invalid"`},
		{"unknown", "x", 401, `error="invalid_token", error_description="The access token is invalid"`},
		{"personal", p.Token, 401, `error="invalid_token", error_description="The access token is invalid"`},
		{"revoked", old.AccessToken, 401, `error="invalid_token", error_description="The access token was revoked"`},
		{"without openid", narrow.AccessToken, 403, `error="insufficient_scope"`},
	} {
		got := h.WithHeaders("Authorization", "Bearer "+c.token).Send("GET", "/oauth/userinfo", "")
		if got.Status != c.status || got.Body != "" ||
			!strings.Contains(got.Header.Get("WWW-Authenticate"), `realm="Doorkeeper", `+c.says) {
			t.Errorf("%s: %d %q %s", c.name, got.Status, got.Body, got.Header.Get("WWW-Authenticate"))
		}
	}
	movedBack(t, h, "oauth_tokens", "expires_at", 0)
	got := h.Anonymous().Send("GET", "/oauth/userinfo?access_token="+narrow.AccessToken, "")
	if got.Status != 401 || !strings.Contains(got.Header.Get("WWW-Authenticate"), "The access token expired") {
		t.Errorf("%d %s", got.Status, got.Header.Get("WWW-Authenticate"))
	}
}

func TestTokenInfo(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	pair := tokens(t, a.redeem(p.code(t, a, "scope", "read_user api")))
	for _, got := range []harness.Answer{
		h.WithHeaders("Authorization", "Bearer "+pair.AccessToken).Send("GET", "/oauth/token/info", ""),
		h.Anonymous().Send("GET", "/oauth/token/info?access_token="+pair.AccessToken, ""),
	} {
		var told map[string]any
		if err := json.Unmarshal([]byte(got.Body), &told); err != nil || got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		left, _ := told["expires_in"].(float64)
		if left < 7100 || left > 7200 || told["expires_in_seconds"] != left {
			t.Errorf("%v seconds are left", left)
		}
		delete(told, "expires_in")
		delete(told, "expires_in_seconds")
		want := map[string]any{
			"resource_owner_id": float64(p.User.ID), "scope": []any{"read_user", "api"}, "scopes": []any{"read_user", "api"},
			"application": map[string]any{"uid": a.UID}, "created_at": float64(pair.CreatedAt),
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Error(diff)
		}
	}
	for _, bad := range []string{
		"", "?access_token=x", "?access_token=" + p.Token, "?access_token=" + pair.RefreshToken,
		"?access_token=" + pair.AccessToken + "&access_token=x",
	} {
		expectOAuthError(t, h.Anonymous().Send("GET", "/oauth/token/info"+bad, ""), 400, "invalid_request")
	}
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	one := h.Anonymous().Send("GET", "/.well-known/openid-configuration", "")
	two := h.Anonymous().Send("GET", "/.well-known/oauth-authorization-server", "")
	expect(t, two, 200, one.Body)
	h.Golden("getWellKnownOpenidConfiguration/all", one.Body)
	keys := h.Anonymous().Send("GET", "/oauth/discovery/keys", "")
	again := h.Anonymous().Send("GET", "/oauth/discovery/keys", "")
	if expect(t, again, 200, keys.Body); strings.Count(keys.Body, `"kid"`) != 1 {
		t.Errorf("keys: %s", keys.Body)
	}
	expect(t, h.Anonymous().Send("GET", "/.well-known/webfinger?resource=acct:ann@example.com", ""), 200,
		`{"subject":"acct:ann@example.com","links":[{"rel":"http://openid.net/specs/connect/1.0/issuer","href":"`+h.URL+`"}]}`)
	expectOAuthError(t, h.Anonymous().Send("GET", "/.well-known/webfinger", ""), 400, "invalid_request")
}

// A password is enough for a token, with or without an application, unless the user has a second factor.
func TestOAuthPasswordGrant(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h, func(a *app) { a.Scopes = "api read_user" }), h.NewUserWithPassword(named("ann"))
	ask := func(pairs ...string) harness.Answer {
		v := url.Values{"grant_type": {"password"}, "username": {"ann"}, "password": {harness.Password}}
		for i := 0; i+1 < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return h.Anonymous().Form("POST", "/oauth/token", v.Encode())
	}
	alone := tokens(t, ask())
	if alone.RefreshToken != "" || alone.Scope != "api" || !tokenIsValid(h, alone.AccessToken) {
		t.Errorf("%+v", alone)
	}
	if got := h.Anonymous().Send("GET", "/oauth/token/info?access_token="+
		alone.AccessToken, ""); !strings.Contains(got.Body, `"application":{"uid":null}`) {
		t.Errorf("%s", got.Body)
	}
	tokens(t, ask("username", "ANN@example.com", "scope", "read_user openid"))
	c := a.config("read_user")
	c.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	token, err := c.PasswordCredentialsToken(a.context(), "ann", harness.Password)
	if err != nil || token.RefreshToken != "" || !tokenIsValid(h, token.AccessToken) {
		t.Fatalf("%+v, %v", token, err)
	}
	if got := h.Anonymous().Send("GET", "/oauth/token/info?access_token="+token.AccessToken, ""); !strings.Contains(got.Body, a.UID) {
		t.Errorf("%s", got.Body)
	}

	expectOAuthError(t, ask("password", "wrong"), 400, "invalid_grant")
	expectOAuthError(t, ask("username", "nobody"), 400, "invalid_grant")
	expectOAuthError(t, ask("password", ""), 400, "invalid_request")
	expectOAuthError(t, ask("username", ""), 400, "invalid_request")
	expectOAuthError(t, ask("username", "a\x00b"), 400, "invalid_request")
	expectOAuthError(t, ask("client_id", "unknown"), 401, "invalid_client")
	expectOAuthError(t, ask("client_id", a.UID), 401, "invalid_client")
	expectOAuthError(t, ask("scope", "unknown"), 400, "invalid_scope")
	expectOAuthError(t, ask("scope", "sudo"), 400, "invalid_scope")
	expectOAuthError(t, ask("client_id", a.UID, "client_secret", a.Secret, "scope", "openid"), 400, "invalid_scope")

	strict := h.Group(func(g *model.Namespace) { g.RequireTwoFactorAuthentication = true })
	member := h.NewUserWithPassword(named("bob"))
	h.Join(strict, member.User, model.Guest)
	expectOAuthError(t, ask("username", "bob"), 400, "invalid_grant")
	h.NewUserWithPassword(named("cat"), func(u *model.User) { u.TwoFactor = true })
	expectOAuthError(t, ask("username", "cat"), 400, "invalid_grant")
	h.NewUserWithPassword(named("dan"), func(u *model.User) { u.State = model.UserBlocked })
	expectOAuthError(t, ask("username", "dan"), 400, "invalid_grant")
	if !tokenIsValid(
		h,
		tokens(t, ask("username", h.NewUserWithPassword(storetest.Admin, named("eve")).User.Username, "scope", "sudo api")).AccessToken,
	) {
		t.Error("an administrator's token may carry sudo")
	}
	_ = p
}
