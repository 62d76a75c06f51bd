package oauth

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/store"
	"svc/store/model"

	"github.com/ory/fosite"
)

// CreateAccessTokenSession stores an access token.
func (s *storage) CreateAccessTokenSession(ctx context.Context, signature string, r fosite.Requester) error {
	at, whom := s.now().UTC().Truncate(time.Microsecond), sessionOf(r)
	whom.issuedAt = at
	row := model.OAuthToken{
		UserID: whom.user.ID, Digest: []byte(signature), Scopes: strings.Join(r.GetGrantedScopes(), " "), CreatedAt: at,
		ExpiresAt: at.Add(s.lifetime),
	}
	if id := clientOf(r).app.ID; id != 0 {
		row.ApplicationID = &id
	}
	if whom.grantID != 0 {
		row.GrantID = &whom.grantID
	}
	return s.store.OAuthTokens.Create(ctx, &row)
}

// GetAccessTokenSession is never called: tokens are looked up without fosite.
func (*storage) GetAccessTokenSession(context.Context, string, fosite.Session) (fosite.Requester, error) {
	return nil, fosite.ErrNotFound
}

// DeleteAccessTokenSession is never called.
func (*storage) DeleteAccessTokenSession(context.Context, string) error { return nil }

// CreateRefreshTokenSession adds the refresh token to an access token.
func (s *storage) CreateRefreshTokenSession(ctx context.Context, signature, accessSignature string, _ fosite.Requester) error {
	return s.store.OAuthTokens.AddRefresh(ctx, []byte(accessSignature), []byte(signature))
}

// GetRefreshTokenSession returns the grant of a refresh token. A token that is used again long after its first use is
// returned with an error that makes fosite end its whole family (RFC 9700 §4.14.2). A token that is used again soon, or
// whose user may not sign in any more, is not found.
func (s *storage) GetRefreshTokenSession(ctx context.Context, signature string, _ fosite.Session) (fosite.Requester, error) {
	t, err := s.store.OAuthTokens.GetByRefresh(ctx, []byte(signature))
	if store.IsNotFound(err) || (err == nil && (t.GrantID == nil || t.UID == nil)) {
		return nil, fosite.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	whom := &session{user: t.Caller, grantID: *t.GrantID, redirectURI: *t.RedirectURI, signedInAt: *t.SignedInAt}
	r := stored(*t.GrantID, *t.UID, strings.Fields(*t.Granted), whom)
	switch {
	case t.RefreshedAt != nil && s.now().Sub(*t.RefreshedAt) > replayGrace:
		return r, fosite.ErrInactiveToken
	case t.RefreshedAt != nil || t.RevokedAt != nil || t.Caller.State != model.UserActive:
		return nil, fosite.ErrNotFound
	}
	return r, nil
}

// DeleteRefreshTokenSession does nothing: RevokeRefreshToken ends the token.
func (*storage) DeleteRefreshTokenSession(context.Context, string) error { return nil }

// RotateRefreshToken ends the old pair of tokens. Of several concurrent calls one succeeds.
func (s *storage) RotateRefreshToken(ctx context.Context, _, signature string) error {
	done, err := s.store.OAuthTokens.Rotate(ctx, []byte(signature))
	if err == nil && !done {
		err = errAlreadyUsed
	}
	return err
}

// RevokeRefreshToken ends all tokens of a grant.
func (s *storage) RevokeRefreshToken(ctx context.Context, grantID string) error {
	id, err := strconv.ParseInt(grantID, 10, 64)
	if err != nil {
		return err
	}
	return s.store.OAuthTokens.RevokeGrant(ctx, id)
}

// RevokeAccessToken ends all tokens of a grant.
func (s *storage) RevokeAccessToken(ctx context.Context, grantID string) error {
	return s.RevokeRefreshToken(ctx, grantID)
}
