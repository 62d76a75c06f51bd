package oauth

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/store"
	"svc/store/model"

	"github.com/ory/fosite"
)

// CreateAuthorizeCodeSession stores what a user has allowed, under the digest of the code.
func (s *storage) CreateAuthorizeCodeSession(ctx context.Context, signature string, r fosite.Requester) error {
	at, whom := s.now().UTC().Truncate(time.Microsecond), sessionOf(r)
	return s.store.OAuthGrants.Create(ctx, &model.OAuthGrant{
		ApplicationID: clientOf(r).app.ID, UserID: whom.user.ID, Digest: []byte(signature), RedirectURI: whom.redirectURI,
		Scopes: strings.Join(r.GetGrantedScopes(), " "), CodeChallenge: whom.challenge, Nonce: whom.nonce,
		Ticket: whom.ticket, SignedInAt: whom.signedInAt, CreatedAt: at, ExpiresAt: at.Add(codeLifetime),
	})
}

// GetAuthorizeCodeSession returns the grant of a code. A used code is returned with an error that makes fosite end the
// tokens that it gave (RFC 6749 §4.1.2). A code that has expired, or whose user may not sign in any more, is not found.
func (s *storage) GetAuthorizeCodeSession(ctx context.Context, signature string, _ fosite.Session) (fosite.Requester, error) {
	g, err := s.store.OAuthGrants.FindByCode(ctx, []byte(signature))
	if store.IsNotFound(err) {
		return nil, fosite.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	whom := &session{
		user: g.Caller, grantID: g.ID, redirectURI: g.RedirectURI, challenge: g.CodeChallenge, nonce: g.Nonce,
		signedInAt: g.SignedInAt,
	}
	whom.SetExpiresAt(fosite.AuthorizeCode, g.ExpiresAt)
	r := stored(g.ID, g.UID, strings.Fields(g.Scopes), whom)
	r.Form.Set("redirect_uri", g.RedirectURI)
	if g.CodeChallenge != "" {
		r.Form.Set("code_challenge", g.CodeChallenge)
		r.Form.Set("code_challenge_method", "S256")
	}
	switch {
	case g.UsedAt != nil:
		return r, fosite.ErrInvalidatedAuthorizeCode
	case !s.now().Before(g.ExpiresAt) || g.Caller.State != model.UserActive:
		return nil, fosite.ErrNotFound
	}
	return r, nil
}

// stored returns a request that was granted earlier.
func stored(grantID int64, uid string, scopes []string, whom *session) *fosite.Request {
	return &fosite.Request{
		ID: strconv.FormatInt(grantID, 10), Client: &client{app: model.OAuthApplication{UID: uid}}, Session: whom, Form: url.Values{},
		RequestedScope: scopes, GrantedScope: scopes,
	}
}

// InvalidateAuthorizeCodeSession marks a code as used. Of several concurrent calls one succeeds.
func (s *storage) InvalidateAuthorizeCodeSession(ctx context.Context, signature string) error {
	done, err := s.store.OAuthGrants.Consume(ctx, []byte(signature))
	if err == nil && !done {
		err = errAlreadyUsed
	}
	return err
}

// GetPKCERequestSession returns the challenge of a code, which is in the row of the code.
func (s *storage) GetPKCERequestSession(ctx context.Context, signature string, whom fosite.Session) (fosite.Requester, error) {
	r, err := s.GetAuthorizeCodeSession(ctx, signature, whom)
	if err == nil && r.GetRequestForm().Get("code_challenge") == "" {
		return nil, fosite.ErrNotFound
	}
	return r, err
}

// CreatePKCERequestSession does nothing: the challenge was stored with the code.
func (*storage) CreatePKCERequestSession(context.Context, string, fosite.Requester) error { return nil }

// DeletePKCERequestSession does nothing. fosite calls it before it compares the verifier: if it deleted the challenge,
// the code could be redeemed without one after a failed attempt.
func (*storage) DeletePKCERequestSession(context.Context, string) error { return nil }
