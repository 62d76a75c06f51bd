// Package oauth is the OAuth 2.0 and OpenID Connect provider: applications get tokens for users from it. It is the only
// package that uses fosite.
//
//	provider.go     construction, settings of fosite, cleanup
//	application.go  rules for applications; registers and changes them
//	redirect.go     rules for redirect URIs
//	authorize.go    authorization requests and consent
//	token.go        exchanges a code, refresh token or password for tokens
//	password.go     the password grant
//	client.go       authenticates applications
//	introspect.go, tokeninfo.go, revoke.go  the endpoints for tokens
//	userinfo.go     claims about a user, and ID tokens
//	discovery.go    metadata, public keys, WebFinger
//	keys.go         the keys that sign ID tokens
//	storage_clients.go, storage_codes.go, storage_tokens.go  fosite's storage on our tables
//	strategy.go, session.go  how fosite makes tokens, and for which user
//	form.go, errors.go  parameters of requests, and error responses
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
	// DefaultAccessLifetime is how long an access token is valid, unless the options say otherwise.
	DefaultAccessLifetime = 2 * time.Hour

	codeLifetime = 10 * time.Minute
	// replayGrace is how long after its use a repeated refresh token counts as sent by a client that did not get its
	// response. Later it counts as stolen.
	replayGrace = 60 * time.Second
	// endedTokenRetention is how long ended tokens are stored, so that their use can be distinguished from that of unknown tokens.
	endedTokenRetention = 90 * 24 * time.Hour
)

// OutOfBand is the redirect URI of an application that has none: the code is shown to the user.
const OutOfBand = "urn:ietf:wg:oauth:2.0:oob"

// Options is what the provider needs from the rest of the service.
type Options struct {
	BaseURL    string   // the issuer, without a trailing slash
	SecretKey  string   // seals the keys that sign ID tokens
	Scopes     []string // all scopes that a token of an application may have
	Restricted []string // scopes that only the tokens of administrators may have
	// Password returns the user with a username or address and a password. Refused reports whether its error is the
	// caller's fault.
	Password  func(ctx context.Context, login, password string) (model.Caller, error)
	IsRefusal func(error) bool
	// CountAttempt counts an attempt with a password, and returns after how many seconds the address may try again; 0 means
	// now.
	CountAttempt func(ctx context.Context) (int, error)
	// Revoked is called for a token that an application revokes, in the transaction that ends it.
	Revoked func(ctx context.Context, owner model.Caller, id int64) error
	Picture func(model.User) *string
	Now     func() time.Time // the clock of the store if it is nil
	// AccessLifetime is how long an access token and an ID token are valid.
	AccessLifetime time.Duration
}

// Provider issues tokens to applications, and answers questions about tokens and users.
type Provider struct {
	store *store.Store
	o     Options
	keys  *keys
	core  *fosite.Fosite
}

// New returns a provider. It does not use the database before the first request.
func New(st *store.Store, o Options) (*Provider, error) {
	vault, err := secret.NewVault(o.SecretKey, KeyPurpose)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = st.Clock().Now
	}
	if o.AccessLifetime == 0 {
		o.AccessLifetime = DefaultAccessLifetime
	}
	p := &Provider{store: st, o: o, keys: &keys{store: st, vault: vault, now: o.Now}}
	p.core = p.newCore()
	return p, nil
}

// newCore configures fosite: its handlers for codes, PKCE and refresh tokens use our tables, tokens and rules. newCore
// sets every option that fosite would otherwise set at its first use, because fosite does so without a lock.
func (p *Provider) newCore() *fosite.Fosite {
	rows, tokens := &storage{store: p.store, now: p.o.Now, lifetime: p.o.AccessLifetime}, strategy{now: p.o.Now}
	config := &fosite.Config{
		AccessTokenLifespan:          p.o.AccessLifetime,
		RefreshTokenLifespan:         -1, // does not expire
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
		AccessTokenStrategy: tokens, RefreshTokenStrategy: tokens, AuthorizeCodeStrategy: tokens, CoreStorage: rows,
		TokenRevocationStorage: rows, Config: config,
	}
	proof := &pkce.Handler{AuthorizeCodeStrategy: tokens, Storage: rows, Config: config}
	refresh := &oauth2.RefreshTokenGrantHandler{
		AccessTokenStrategy: tokens, RefreshTokenStrategy: tokens, TokenRevocationStorage: rows, Config: config,
	}
	config.AuthorizeEndpointHandlers = fosite.AuthorizeEndpointHandlers{code, proof}
	config.TokenEndpointHandlers = fosite.TokenEndpointHandlers{code, proof, refresh, &password{p: p, rows: rows, tokens: tokens}}
	return &fosite.Fosite{Store: rows, Config: config}
}

// Expire deletes what ended long ago and replaces old keys. It can be repeated.
func (p *Provider) Expire(ctx context.Context) error {
	before := p.o.Now().UTC().Add(-endedTokenRetention)
	if _, err := p.store.OAuthTokens.DeleteEnded(ctx, before); err != nil {
		return err
	}
	if _, err := p.store.OAuthGrants.DeleteExpired(ctx, p.o.Now().UTC()); err != nil {
		return err
	}
	return p.keys.rotate(ctx)
}

// Withdraw revokes what a user has allowed an application: its tokens end at once.
func (p *Provider) Withdraw(ctx context.Context, userID, applicationID int64) error {
	return p.store.OAuthTokens.RevokeApplication(ctx, userID, applicationID)
}
