package store

import (
	"context"
	"time"

	"svc/store/model"
)

// OAuthGrants are what users have allowed applications, with the codes that these get for it.
type OAuthGrants struct{ *base }

const grant = "Grant"

// Create adds a grant; an application or a user that is gone is a *NotFoundError.
func (s OAuthGrants) Create(ctx context.Context, g *model.OAuthGrant) error {
	err := s.write(ctx).Create(g).Error
	if refersToNothing(err) {
		return &NotFoundError{Resource: application}
	}
	return translate(err)
}

// GrantUse is a grant as its code is redeemed: for whom, and by which application.
type GrantUse struct {
	model.OAuthGrant
	UID    string // of the application
	Caller model.Caller
}

const grantByDigest = "SELECT g.id, g.application_id, g.user_id, g.digest, g.redirect_uri, g.scopes, g.code_challenge, g.nonce, g.signed_in_at, g.created_at, " +
	"g.expires_at, g.used_at, a.uid, " + callerColumns + " FROM oauth_grants g JOIN oauth_applications a ON a.id = g.application_id " +
	"JOIN users u ON u.id = g.user_id WHERE g.digest = ?"

// Use returns the grant whose code has that digest.
func (s OAuthGrants) Use(ctx context.Context, digest []byte) (GrantUse, error) {
	var g GrantUse
	dest := append([]any{
		&g.ID, &g.ApplicationID, &g.UserID, &g.Digest, &g.RedirectURI, &g.Scopes, &g.CodeChallenge, &g.Nonce, &g.SignedInAt, &g.CreatedAt,
		&g.ExpiresAt, &g.UsedAt, &g.UID,
	}, callerFields(&g.Caller)...)
	err := s.first(ctx, grantByDigest, []any{digest}, dest...)
	return g, translate(err, grant)
}

// Redeem uses a code up and tells whether it could be: of several at once, one does it.
func (s OAuthGrants) Redeem(ctx context.Context, digest []byte) (bool, error) {
	at := now()
	res := s.write(ctx).Model(&model.OAuthGrant{}).Where("digest = ? AND used_at IS NULL AND expires_at > ?", digest, at).Update("used_at", at)
	return res.RowsAffected == 1, translate(res.Error)
}

// DeleteExpired removes the grants whose codes ended before a time and have no token left, and tells how many.
func (s OAuthGrants) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("expires_at < ? AND NOT EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = oauth_grants.id)", before).Delete(&model.OAuthGrant{})
	return res.RowsAffected, translate(res.Error)
}
