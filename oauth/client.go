package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"

	"github.com/ory/fosite"
)

// client is an application in the form that fosite needs. A client without an id stands for no application: then a
// password alone is enough for a token.
type client struct {
	app       model.OAuthApplication
	redirects []string
	scopes    []string
}

// GetID returns the application ID.
func (c *client) GetID() string { return c.app.UID }

// GetHashedSecret is never called: authenticate compares secrets.
func (c *client) GetHashedSecret() []byte { return nil }

// GetRedirectURIs returns the addresses that codes are sent to.
func (c *client) GetRedirectURIs() []string { return c.redirects }

// GetGrantTypes returns the grant types; all applications have all of them.
func (c *client) GetGrantTypes() fosite.Arguments {
	return fosite.Arguments{"authorization_code", "refresh_token", "password"}
}

// GetResponseTypes returns what the authorization endpoint issues: codes only.
func (c *client) GetResponseTypes() fosite.Arguments { return fosite.Arguments{"code"} }

// GetScopes returns all scopes that the application may ask for.
func (c *client) GetScopes() fosite.Arguments { return c.scopes }

// IsPublic reports whether the application cannot keep a secret.
func (c *client) IsPublic() bool { return !c.app.Confidential }

// GetAudience returns nothing: tokens are for this service.
func (c *client) GetAudience() fosite.Arguments { return nil }

func clientOf(r fosite.Requester) *client {
	c, _ := r.GetClient().(*client) // no other type is ever stored there
	return c
}

// noHasher satisfies fosite, which requires a hasher. It is never used.
type noHasher struct{}

var errNoHasher = errors.New("secrets are compared by their digests")

// Compare always fails.
func (noHasher) Compare(context.Context, []byte, []byte) error { return errNoHasher }

// Hash always fails.
func (noHasher) Hash(context.Context, []byte) ([]byte, error) { return nil, errNoHasher }

// authenticate finds the application that makes a request. Its credentials come in the Basic header or as parameters. A
// confidential application must send its secret, unless a challenge binds the code or token that it redeems. A secret
// that is sent must be the right one.
func (p *Provider) authenticate(ctx context.Context, r *http.Request, form url.Values) (fosite.Client, error) {
	uid, key, sent := credentials(r, form)
	if !sent {
		if form.Get("grant_type") == "password" {
			return &client{scopes: p.o.Scopes}, nil
		}
		return nil, fosite.ErrInvalidClient
	}
	if key == "" {
		if c, err := p.authenticateByChallenge(ctx, uid, form); c != nil || err != nil {
			return c, err
		}
	}
	return p.authenticateBySecret(ctx, uid, key)
}

// authenticateByChallenge returns the application that a code was issued to, if the code is bound to a challenge: then the
// verifier proves who redeems it, and neither the code nor the refresh tokens that follow need a secret. The verifier
// itself is checked together with the code. Otherwise it returns nil.
func (p *Provider) authenticateByChallenge(ctx context.Context, uid string, form url.Values) (fosite.Client, error) {
	var challenge, given string
	var err error
	switch form.Get("grant_type") {
	case "authorization_code":
		var g store.GrantWithCaller
		if g, err = p.store.OAuthGrants.FindByCode(ctx, []byte(digestOf(form.Get("code")))); err == nil {
			challenge, given = g.CodeChallenge, g.UID
		}
	case "refresh_token":
		var t store.OAuthRow
		if t, err = p.store.OAuthTokens.GetByRefresh(ctx, []byte(digestOf(form.Get("refresh_token")))); err == nil &&
			t.UID != nil && t.CodeChallenge != nil {
			challenge, given = *t.CodeChallenge, *t.UID
		}
	}
	if store.IsNotFound(err) || challenge == "" || given != uid {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.core.Store.GetClient(ctx, uid)
}

// authenticateBySecret returns the application with that id if the secret is right or none is needed.
func (p *Provider) authenticateBySecret(ctx context.Context, uid, key string) (*client, error) {
	if uid == "" || !validText(uid) {
		return nil, fosite.ErrInvalidClient
	}
	app, err := p.store.OAuthApplications.GetByUID(ctx, uid)
	if store.IsNotFound(err) {
		return nil, fosite.ErrInvalidClient
	}
	if err != nil {
		return nil, err
	}
	if app.Confidential && !secret.Equal(app.SecretDigest, secret.Digest(key)) {
		return nil, fosite.ErrInvalidClient
	}
	return &client{app: app, redirects: app.RedirectURIs(), scopes: app.ScopeList()}, nil
}

// credentials returns the credentials of the application, RFC 6749 §2.3.1: from the Basic header first, then from the
// body. If both are sent with different application IDs, it returns none.
func credentials(r *http.Request, form url.Values) (uid, key string, sent bool) {
	uid, key, basic := r.BasicAuth()
	if scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " "); !basic && strings.EqualFold(scheme, "Basic") {
		return "", "", true // the header cannot be read
	}
	if !basic {
		return form.Get("client_id"), form.Get("client_secret"), form.Has("client_id") || form.Has("client_secret")
	}
	// They should be form-encoded, but many clients do not do that. The ids and secrets of svc are the same either way.
	if plain, err := url.QueryUnescape(uid); err == nil {
		uid = plain
	}
	if plain, err := url.QueryUnescape(key); err == nil {
		key = plain
	}
	if id := form.Get("client_id"); id != "" && id != uid {
		return "", "", true
	}
	return uid, key, true
}

// subset reports whether all scopes are allowed.
func subset(scopes, allowed []string) bool {
	for _, scope := range scopes {
		if !slices.Contains(allowed, scope) {
			return false
		}
	}
	return true
}
