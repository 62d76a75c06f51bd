package api

import (
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"

	"golang.org/x/oauth2"
)

// Of 50 concurrent refreshes of one token, one gets a new pair, which stays valid.
func TestOneOfManyConcurrentRefreshesSucceeds(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	old := tokens(t, a.redeem(p.code(t, a)))
	var wait sync.WaitGroup
	var won atomic.Int64
	var next atomic.Value
	for range 50 {
		wait.Go(func() {
			switch got := a.refresh(old.RefreshToken); got.Status {
			case 200:
				won.Add(1)
				next.Store(tokens(t, got))
			default:
				expectOAuthError(t, got, 400, "invalid_grant")
			}
		})
	}
	wait.Wait()
	if won.Load() != 1 {
		t.Fatalf("%d have won", won.Load())
	}
	pair, _ := next.Load().(pair)
	if tokenIsValid(h, old.AccessToken) || !tokenIsValid(h, pair.AccessToken) {
		t.Error("the old token goes on, or the new one does not")
	}
	if !tokenIsValid(h, tokens(t, a.refresh(pair.RefreshToken)).AccessToken) {
		t.Error("the winner's refresh token is not good")
	}
}

// A refresh token that is used again soon is refused. Used again later, it revokes all tokens that came from it.
func TestAReplayedRefreshTokenRevokesItsFamily(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h, public), newPerson(h)
	first := tokens(t, a.redeem(p.code(t, a)))
	other := tokens(t, a.redeem(p.code(t, a)))
	second := tokens(t, a.refresh(first.RefreshToken))
	expectOAuthError(t, a.refresh(first.RefreshToken), 400, "invalid_grant")
	movedBack(t, h, "oauth_tokens", "refreshed_at", 55*time.Second)
	expectOAuthError(t, a.refresh(first.RefreshToken), 400, "invalid_grant")
	if !tokenIsValid(h, second.AccessToken) {
		t.Fatal("a client that asks twice loses its token")
	}
	movedBack(t, h, "oauth_tokens", "refreshed_at", 65*time.Second)
	expectOAuthError(t, a.refresh(first.RefreshToken), 400, "invalid_grant")
	if tokenIsValid(h, second.AccessToken) {
		t.Error("the thief's token goes on")
	}
	expectOAuthError(t, a.refresh(second.RefreshToken), 400, "invalid_grant")
	if !tokenIsValid(h, other.AccessToken) {
		t.Error("another family has ended, too")
	}
}

func TestARefreshTokenIsBoundToItsApplicationAndScopes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, b, p := newApp(h), newApp(h), newPerson(h)
	old := tokens(t, a.redeem(p.code(t, a, "scope", "read_user openid")))
	expectOAuthError(t, b.refresh(old.RefreshToken), 400, "invalid_grant")
	expectOAuthError(t, a.refresh(old.RefreshToken, "client_secret", ""), 401, "invalid_client")
	expectOAuthError(t, a.refresh(old.RefreshToken, "client_secret", "wrong"), 401, "invalid_client")
	expectOAuthError(t, a.refresh(old.RefreshToken, "client_id", "", "client_secret", ""), 401, "invalid_client")
	expectOAuthError(t, a.refresh(old.RefreshToken, "scope", "api"), 400, "invalid_scope")
	expectOAuthError(t, a.refresh(old.RefreshToken, "scope", "read_user api"), 400, "invalid_scope")
	expectOAuthError(t, a.refresh(old.RefreshToken, "redirect_uri", "https://evil.example.com"), 400, "invalid_grant")
	expectOAuthError(t, a.refresh(old.AccessToken), 400, "invalid_grant")
	expectOAuthError(t, a.refresh(""), 400, "invalid_request")
	expectOAuthError(t, a.refresh("x"), 400, "invalid_grant")
	if !tokenIsValid(h, old.AccessToken) {
		t.Fatal("refusals have ended the token")
	}
	narrow := tokens(t, a.refresh(old.RefreshToken, "scope", "read_user", "redirect_uri", callback))
	if narrow.Scope != "read_user" || narrow.IDToken != "" {
		t.Errorf("%+v", narrow)
	}
	// RFC 6749 §6: the refresh token keeps the granted scope.
	if whole := tokens(t, a.refresh(narrow.RefreshToken)); whole.Scope != "read_user openid" {
		t.Errorf("%+v", whole)
	}
}

// A code works once. Redeeming it again revokes the tokens that it gave.
func TestACodeWorksOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	code := p.code(t, a)
	first := tokens(t, a.redeem(code))
	next := tokens(t, a.refresh(first.RefreshToken))
	expectOAuthError(t, a.redeem(code), 400, "invalid_grant")
	if tokenIsValid(h, next.AccessToken) {
		t.Error("what the code gave goes on")
	}
	expectOAuthError(t, a.refresh(next.RefreshToken), 400, "invalid_grant")

	code = p.code(t, a)
	var wait sync.WaitGroup
	var won atomic.Int64
	var given atomic.Value
	for range 20 {
		wait.Go(func() {
			switch got := a.redeem(code); got.Status {
			case 200:
				won.Add(1)
				given.Store(tokens(t, got).AccessToken)
			default:
				expectOAuthError(t, got, 400, "invalid_grant")
			}
		})
	}
	wait.Wait()
	if won.Load() != 1 {
		t.Errorf("%d have won", won.Load())
	}
	if token, _ := given.Load().(string); tokenIsValid(h, token) {
		t.Error("a code that was redeemed by several gave a token that is good")
	}
}

func TestACodeIsBoundToItsRequest(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, b, p := newApp(h, func(a *app) { a.RedirectURI = callback + "\nhttps://app.example.com/other" }), newApp(h), newPerson(h)
	code := p.code(t, a)
	expectOAuthError(t, b.redeem(code), 400, "invalid_grant") // the code is injected into another application
	expectOAuthError(t, a.redeem(code, "redirect_uri", "https://app.example.com/other"), 400, "invalid_grant")
	expectOAuthError(t, a.redeem(code, "redirect_uri", ""), 400, "invalid_request")
	expectOAuthError(t, a.redeem(code, "client_secret", ""), 401, "invalid_client")
	expectOAuthError(t, a.redeem(code, "client_id", "unknown"), 401, "invalid_client")
	expectOAuthError(t, a.redeem("x"), 400, "invalid_grant")
	expectOAuthError(t, a.redeem(""), 400, "invalid_request")
	expectOAuthError(t, a.redeem(code, "code_verifier", verifier), 400, "invalid_grant") // the code has no challenge
	tokens(t, a.redeem(code))
	code = p.code(t, a)
	movedBack(t, h, "oauth_grants", "expires_at", 0)
	expectOAuthError(t, a.redeem(code), 400, "invalid_grant")
	for grant, want := range map[string]string{
		"": "invalid_request", "client_credentials": "unsupported_grant_type",
		"urn:ietf:params:oauth:grant-type:device_code": "unsupported_grant_type",
		"implicit": "unsupported_grant_type", "authorization_code password": "unsupported_grant_type",
	} {
		expectOAuthError(t, a.redeem(code, "grant_type", grant), 400, want)
	}
}

// A code with a challenge cannot be redeemed without its verifier, whatever was tried before.
func TestAChallengeNeedsItsVerifier(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := newPerson(h)
	for name, a := range map[string]*app{"public": newApp(h, public), "confidential": newApp(h)} {
		// The challenge of "foo".
		code := p.code(t, a, "code_challenge", "w6uP8Tcg6K2QR905Rms8iXTlksL6OD1KOWBxTK7wxPI", "code_challenge_method", "S256")
		for range 2 {
			expectOAuthError(t, a.redeem(code, "code_verifier", ""), 400, "invalid_request")
			expectOAuthError(t, a.redeem(code, "code_verifier", verifier), 400, "invalid_grant")
			// The verifier is the challenge itself, as with the method plain.
			expectOAuthError(t, a.redeem(code, "code_verifier", "w6uP8Tcg6K2QR905Rms8iXTlksL6OD1KOWBxTK7wxPI"), 400, "invalid_grant")
			expectOAuthError(t, a.redeem(code, "code_verifier", "foo"), 400, "invalid_grant") // too short
		}
		for _, pairs := range [][]string{
			{"code_challenge_method", "plain"},
			{"code_challenge_method", ""},
			{"code_challenge_method", "S512"},
			{"code_challenge", "short"},
		} {
			to := p.allow(t, a.ask(append([]string{
				"code_challenge", "w6uP8Tcg6K2QR905Rms8iXTlksL6OD1KOWBxTK7wxPI", "code_challenge_method", "S256",
			}, pairs...)...))
			if got := to.Query(); got.Get("code") != "" || got.Get("error") == "" || got.Get("state") != "xyz" {
				t.Errorf("%s %v: %s", name, pairs, to)
			}
		}
	}
	a := newApp(h, public)
	if to := p.allow(t, a.ask("code_challenge", "", "code_challenge_method", "")); to.Query().Get("error") != "invalid_request" {
		t.Errorf("without a challenge: %s", to)
	}
	b := newApp(h)
	tokens(t, b.redeem(p.code(t, b, "code_challenge", oauth2.S256ChallengeFromVerifier(strings.Repeat("a", 43)),
		"code_challenge_method", "S256"), "code_verifier", strings.Repeat("a", 43)))
}

// For a code with a challenge, the verifier is enough: even an application with a secret need not send the secret.
func TestAVerifierReplacesTheClientSecret(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, other, p := newApp(h), newApp(h), newPerson(h)
	bound := []string{"code_challenge", oauth2.S256ChallengeFromVerifier(verifier), "code_challenge_method", "S256"}
	code := p.code(t, a, bound...)
	for _, c := range []struct {
		name   string
		by     *app
		pairs  []string
		status int
		code   string
	}{
		{"a wrong secret", a, []string{"code_verifier", verifier, "client_secret", "wrong"}, 401, "invalid_client"},
		{"another application", other, []string{"code_verifier", verifier, "client_secret", ""}, 401, "invalid_client"},
		{"no verifier", a, []string{"client_secret", ""}, 400, "invalid_request"},
		{"a wrong verifier", a, []string{"code_verifier", strings.Repeat("x", 43), "client_secret", ""}, 400, "invalid_grant"},
	} {
		if got := c.by.redeem(p.code(t, a, bound...), c.pairs...); got.Status != c.status || !strings.Contains(got.Body, `"`+c.code+`"`) {
			t.Errorf("%s: %d %s", c.name, got.Status, got.Body)
		}
	}
	// This code has no challenge.
	expectOAuthError(t, a.redeem(p.code(t, a), "code_verifier", verifier, "client_secret", ""), 401, "invalid_client")
	pair := tokens(t, a.redeem(code, "code_verifier", verifier, "client_secret", ""))
	if !tokenIsValid(h, pair.AccessToken) {
		t.Error("the token opens nothing")
	}
	expectOAuthError(t, a.refresh(pair.RefreshToken, "client_secret", "wrong"), 401, "invalid_client")
	expectOAuthError(t, other.refresh(pair.RefreshToken, "client_secret", ""), 401, "invalid_client")
	next := tokens(t, a.refresh(pair.RefreshToken, "client_secret", ""))
	tokens(t, a.refresh(next.RefreshToken))
	plain := tokens(t, a.redeem(p.code(t, a)))
	expectOAuthError(t, a.refresh(plain.RefreshToken, "client_secret", ""), 401, "invalid_client")
}

// A token request is refused, and changes nothing, if it has a parameter twice, in the URL or in another format.
func TestTokenRequestsAreReadStrictly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, p := newApp(h), newPerson(h)
	anyone := h.Anonymous()
	old := tokens(t, a.redeem(p.code(t, a)))
	form := url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {old.RefreshToken}, "client_id": {a.UID},
		"client_secret": {a.Secret},
	}.Encode()
	expectOAuthError(t, anyone.Form("POST", "/oauth/token", form+"&refresh_token=x"), 400, "invalid_request")
	expectOAuthError(t, anyone.Form("POST", "/oauth/token", form+"&grant_type=refresh_token"), 400, "invalid_request")
	expectOAuthError(t, anyone.Form("POST", "/oauth/token", form+"&client_secret="+a.Secret), 400, "invalid_request")
	expectOAuthError(t, anyone.Form("POST", "/oauth/token?"+form, ""), 400, "invalid_request")
	expectOAuthError(t, anyone.Form("POST", "/oauth/token?client_secret="+a.Secret, form), 400, "invalid_request")
	expectOAuthError(t, anyone.JSON("POST", "/oauth/token", `{"grant_type":"refresh_token"}`), 400, "invalid_request")
	expectOAuthError(t, anyone.Form("POST", "/oauth/token", "grant_type=%zz"), 400, "invalid_request")
	expectOAuthError(t, anyone.Form("POST", "/oauth/token", ""), 400, "invalid_request")
	expectOAuthError(
		t,
		anyone.Form("POST", "/oauth/token", "grant_type=refresh_token&refresh_token=x&client_id=%ff"),
		400,
		"invalid_request",
	)
	if got := anyone.Form("POST", "/oauth/token", form+"&x="+strings.Repeat("a", 1<<20)); got.Status != 413 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := anyone.Send("GET", "/oauth/token", ""); got.Status != 405 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	basic := h.WithHeaders("Authorization", basicAuth(newApp(h)))
	expectOAuthError(t, basic.Form("POST", "/oauth/token", form), 401, "invalid_client") // the request names two applications
	if !tokenIsValid(h, old.AccessToken) {
		t.Error("a refusal has ended the token")
	}
	tokens(t, anyone.Form("POST", "/oauth/token", form+"&unknown=1&unknown=2"))
}

func TestRevokedOAuthTokensAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, b, open, p := newApp(h), newApp(h), newApp(h, public), newPerson(h)
	send := func(pairs ...string) harness.Answer {
		v := url.Values{}
		for i := 0; i+1 < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return h.Anonymous().Form("POST", "/oauth/revoke", v.Encode())
	}
	pair := tokens(t, a.redeem(p.code(t, a)))
	for _, c := range [][]string{
		{},
		{"client_id", a.UID},
		{"client_id", a.UID, "client_secret", "x"},
		{"client_id", b.UID, "client_secret", b.Secret},
		{"client_id", open.UID},
	} {
		expectOAuthError(t, send(append(c, "token", pair.AccessToken)...), 403, "unauthorized_client")
	}
	if !tokenIsValid(h, pair.AccessToken) {
		t.Fatal("it has ended")
	}
	for range 2 {
		expect(t, send("token", pair.AccessToken, "client_id", a.UID, "client_secret", a.Secret), 200, `{}`)
	}
	if tokenIsValid(h, pair.AccessToken) {
		t.Error("it goes on")
	}
	expectOAuthError(t, a.refresh(pair.RefreshToken), 400, "invalid_grant")
	pair = tokens(t, a.redeem(p.code(t, a)))
	expect(t, h.WithHeaders("Authorization", basicAuth(a)).Form("POST", "/oauth/revoke",
		"token_type_hint=access_token&token="+pair.RefreshToken), 200, `{}`)
	if tokenIsValid(h, pair.AccessToken) {
		t.Error("the access token goes on without its refresh token")
	}
	pair = tokens(t, open.redeem(p.code(t, open)))
	expectOAuthError(t, send("token", pair.AccessToken, "client_id", newApp(h, public).UID), 403, "unauthorized_client")
	expect(t, send("token", pair.AccessToken), 200, `{}`)
	if tokenIsValid(h, pair.AccessToken) {
		t.Error("it goes on")
	}
	expect(t, send("token", "unknown"), 200, `{}`)
	expect(t, send("token", p.Token), 200, `{}`)
	if h.WithHeaders("PRIVATE-TOKEN", p.Token).Send("GET", "/user", "").Status != 200 {
		t.Error("a personal token was revoked here")
	}
	expectOAuthError(t, send(), 400, "invalid_request")
	expectOAuthError(t, h.Anonymous().Form("POST", "/oauth/revoke?token="+pair.AccessToken, ""), 400, "invalid_request")
}

func TestTokensAreIntrospected(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	a, b, open, p := newApp(h), newApp(h), newApp(h, public), newPerson(h)
	pair := tokens(t, a.redeem(p.code(t, a, "scope", "read_user api")))
	other := tokens(t, a.redeem(p.code(t, a)))
	ask := func(auth, token string) harness.Answer {
		return h.WithHeaders("Authorization", auth).Form("POST", "/oauth/introspect", "token="+token)
	}
	for _, auth := range []string{basicAuth(a), "Bearer " + other.AccessToken} {
		got := ask(auth, pair.AccessToken)
		if got.Status != 200 || member(t, got, "active") != true || member(t, got, "scope") != "read_user api" ||
			member(t, got, "client_id") != a.UID ||
			member(t, got, "exp") != float64(pair.CreatedAt+7200) || member(t, got, "token_type") != "Bearer" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	for _, token := range []string{"unknown", pair.RefreshToken, p.Token} {
		expect(t, ask(basicAuth(a), token), 200, `{"active":false}`)
	}
	expect(t, ask(basicAuth(b), pair.AccessToken), 200, `{"active":false}`)
	expectOAuthError(t, ask("Basic "+strings.TrimPrefix(basicAuth(a), "Basic ")[:20], pair.AccessToken), 401, "invalid_client")
	expectOAuthError(t, ask(basicAuth(&app{UID: a.UID, Secret: "wrong"}), pair.AccessToken), 401, "invalid_client")
	expectOAuthError(t, ask("Bearer "+pair.AccessToken, pair.AccessToken), 401, "invalid_token")
	expectOAuthError(t, ask("Bearer unknown", pair.AccessToken), 401, "invalid_token")
	expectOAuthError(t, h.Anonymous().Form("POST", "/oauth/introspect", "token="+pair.AccessToken), 400, "invalid_request")
	expectOAuthError(
		t,
		h.Anonymous().Form("POST", "/oauth/introspect", "token="+pair.AccessToken+"&client_id="+open.UID),
		401,
		"invalid_client",
	)
	expectOAuthError(t, ask(basicAuth(a), ""), 400, "invalid_request")
	tokens(t, a.refresh(pair.RefreshToken))
	expect(t, ask(basicAuth(a), pair.AccessToken), 200, `{"active":false}`)
}

// Deleting an application and blocking a user revoke tokens at once.
func TestDeletingAnApplicationOrBlockingAUserRevokesTokensAtOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	a, b, p := newApp(h), newApp(h), newPerson(h)
	pair := tokens(t, a.redeem(p.code(t, a)))
	kept := tokens(t, b.redeem(p.code(t, b)))
	code := p.code(t, a)
	expect(t, root.Send("DELETE", "/applications/"+itoa(a.ID), ""), 204, "")
	if tokenIsValid(h, pair.AccessToken) || !tokenIsValid(h, kept.AccessToken) {
		t.Error("the application's token goes on, or another's does not")
	}
	expectOAuthError(t, a.refresh(pair.RefreshToken), 401, "invalid_client")
	expectOAuthError(t, a.redeem(code), 401, "invalid_client")
	expectOAuthError(t, h.Anonymous().Send("GET", "/oauth/token/info?access_token="+pair.AccessToken, ""), 400, "invalid_request")

	code = p.code(t, b)
	if got := root.Send("POST", "/users/"+itoa(p.User.ID)+"/block", ""); got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if tokenIsValid(h, kept.AccessToken) {
		t.Error("the token of a blocked user goes on")
	}
	expectOAuthError(t, b.redeem(code), 400, "invalid_grant")
	expectOAuthError(t, b.refresh(kept.RefreshToken), 400, "invalid_grant")
	if got := root.Send("POST", "/users/"+itoa(p.User.ID)+"/unblock", ""); got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if tokenIsValid(h, kept.AccessToken) {
		t.Error("the token is good again")
	}
	if err := h.Store.Users.Update(t.Context(), p.User.ID, map[string]any{"state": model.UserActive}); err != nil {
		t.Fatal(err)
	}
}
