package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// OAuthGrants holds the permissions that users have given to applications, with the authorization codes for them.
type OAuthGrants struct{ *base }

const grant = "Grant"

// Create adds a grant. It returns a *NotFoundError if the application or the user is gone.
func (s OAuthGrants) Create(ctx context.Context, g *model.OAuthGrant) error {
	err := s.db.Write(ctx).Create(g).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: application}
	}
	return query.Translate(err)
}

// GrantWithCaller is a grant with the application and the user of its code.
type GrantWithCaller struct {
	model.OAuthGrant
	UID    string // of the application
	Caller model.Caller
}

const grantByDigest = "SELECT g.id, g.application_id, g.user_id, g.digest, g.redirect_uri, g.scopes, " +
	"g.code_challenge, g.nonce, g.signed_in_at, g.created_at, " +
	"g.expires_at, g.used_at, a.uid, " + callerColumns + " FROM oauth_grants g JOIN oauth_applications a ON a.id = g.application_id " +
	"JOIN users u ON u.id = g.user_id WHERE g.digest = ?"

// FindByCode returns the grant whose code has the given digest.
func (s OAuthGrants) FindByCode(ctx context.Context, digest []byte) (GrantWithCaller, error) {
	var g GrantWithCaller
	dest := append([]any{
		&g.ID, &g.ApplicationID, &g.UserID, &g.Digest, &g.RedirectURI, &g.Scopes, &g.CodeChallenge, &g.Nonce, &g.SignedInAt, &g.CreatedAt,
		&g.ExpiresAt, &g.UsedAt, &g.UID,
	}, callerFields(&g.Caller)...)
	err := s.db.Row(ctx, grantByDigest, []any{digest}, dest...)
	return g, query.Translate(err, grant)
}

// Consume marks a code as used and reports whether it was still valid. Of several concurrent calls, one succeeds.
func (s OAuthGrants) Consume(ctx context.Context, digest []byte) (bool, error) {
	at := s.now()
	res := s.db.Write(ctx).Model(&model.OAuthGrant{}).Where("digest = ? AND used_at IS NULL AND expires_at > ?", digest, at).
		Update("used_at", at)
	return res.RowsAffected == 1, query.Translate(res.Error)
}

// DeleteExpired removes the grants whose codes expired before the given time and that have no token left. It returns
// how many it removed.
func (s OAuthGrants) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).
		Where("expires_at < ? AND NOT EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = oauth_grants.id)", before).
		Delete(&model.OAuthGrant{})
	return res.RowsAffected, query.Translate(res.Error)
}
