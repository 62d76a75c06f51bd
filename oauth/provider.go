// Package oauth is the OAuth 2.0 and OpenID Connect provider: how applications get tokens for users. It is the only
// package that knows fosite.
package oauth

import (
	"context"
	"net/url"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"

	"github.com/ory/fosite"
	"github.com/ory/fosite/handler/oauth2"
	"github.com/ory/fosite/handler/pkce"
)

const (
	accessLifetime = 7200 * time.Second
	codeLifetime   = 10 * time.Minute
	// replayPatience is how long after its use a refresh token that comes again is taken for a client that did not get its
	// answer. Later it is taken for stolen.
	replayPatience = 60 * time.Second
	// kept is how long ended tokens are remembered, so that their use is told from that of unknown ones.
	kept = 90 * 24 * time.Hour
)

// ExplorerUID is the application ID of the API explorer, which every instance has.
const ExplorerUID = "c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4"

// explorerPath is where the explorer gets its codes, under the instance's own URL.
const explorerPath = "/-/docs/oauth2-redirect.html"

// OutOfBand is the redirect URI of an application that has none: the code is shown to the user.
const OutOfBand = "urn:ietf:wg:oauth:2.0:oob"

// Options is what the provider needs from the rest of the service.
type Options struct {
	BaseURL    string   // the issuer, without a slash at the end
	SecretKey  string   // seals the keys that sign ID tokens
	Scopes     []string // all that a token of an application may carry
	Restricted []string // those of them that only administrators' tokens may
	// Password returns the user behind a name or address and a password; Refused tells whether its failure is the caller's.
	Password func(ctx context.Context, login, password string) (model.Caller, error)
	Refused  func(error) bool
	// Guess counts a try with a password, and tells after how many seconds its address may make another; 0 is now.
	Guess func(ctx context.Context) (int, error)
	// Revoked is told of a token that an application gives back, in the transaction that ends it.
	Revoked func(ctx context.Context, owner model.Caller, id int64) error
	Picture func(model.User) *string
	Now     func() time.Time
}

// Provider gives applications tokens, and tells them about these and about users.
type Provider struct {
	store *store.Store
	o     Options
	keys  *keys
	core  *fosite.Fosite
}

// New makes a provider. Nothing is asked of the database before the first request.
func New(st *store.Store, o Options) (*Provider, error) {
	vault, err := secret.NewVault(o.SecretKey, KeyPurpose)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	p := &Provider{store: st, o: o, keys: &keys{store: st, vault: vault, now: o.Now}}
	p.core = p.newCore()
	return p, nil
}

// newCore wires fosite: its code, PKCE and refresh handlers over our tables, tokens and rules. Every setting that fosite
// would fill in at its first use is given: it does so without a lock.
func (p *Provider) newCore() *fosite.Fosite {
	rows, tokens := &storage{store: p.store, now: p.o.Now, explorer: p.o.BaseURL + explorerPath}, strategy{now: p.o.Now}
	config := &fosite.Config{
		AccessTokenLifespan:          accessLifetime,
		RefreshTokenLifespan:         -1, // does not end by itself
		AuthorizeCodeLifespan:        codeLifetime,
		ScopeStrategy:                fosite.ExactScopeStrategy,
		AudienceMatchingStrategy:     fosite.ExactAudienceMatchingStrategy,
		EnforcePKCEForPublicClients:  true,
		RefreshTokenScopes:           []string{}, // every scope
		MinParameterEntropy:          1,
		SanitationWhiteList:          []string{"code", "redirect_uri", "code_challenge"},
		RedirectSecureChecker:        func(context.Context, *url.URL) bool { return true }, // http is allowed
		ClientAuthenticationStrategy: p.authenticate,
		ClientSecretsHasher:          noHasher{},
	}
	code := &oauth2.AuthorizeExplicitGrantHandler{
		AccessTokenStrategy: tokens, RefreshTokenStrategy: tokens, AuthorizeCodeStrategy: tokens, CoreStorage: rows, TokenRevocationStorage: rows, Config: config,
	}
	proof := &pkce.Handler{AuthorizeCodeStrategy: tokens, Storage: rows, Config: config}
	refresh := &oauth2.RefreshTokenGrantHandler{AccessTokenStrategy: tokens, RefreshTokenStrategy: tokens, TokenRevocationStorage: rows, Config: config}
	config.AuthorizeEndpointHandlers = fosite.AuthorizeEndpointHandlers{code, proof}
	config.TokenEndpointHandlers = fosite.TokenEndpointHandlers{code, proof, refresh, &password{p: p, rows: rows, tokens: tokens}}
	return &fosite.Fosite{Store: rows, Config: config}
}

// Expire deletes what ended long ago and replaces keys that are old. Running it twice does nothing more.
func (p *Provider) Expire(ctx context.Context) error {
	before := p.o.Now().UTC().Add(-kept)
	if _, err := p.store.OAuthTokens.DeleteEnded(ctx, before); err != nil {
		return err
	}
	if _, err := p.store.OAuthGrants.DeleteExpired(ctx, p.o.Now().UTC()); err != nil {
		return err
	}
	return p.keys.rotate(ctx)
}

// Withdraw takes back what a user has allowed an application: its tokens end at once.
func (p *Provider) Withdraw(ctx context.Context, userID, applicationID int64) error {
	return p.store.OAuthTokens.EndOf(ctx, userID, applicationID)
}
