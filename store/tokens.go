package store

import (
	"context"
	"time"

	"svc/store/model"
)

// Tokens are personal access tokens.
type Tokens struct{ *base }

// tokenByDigest is asked for at every request; written out because it is.
var tokenByDigest = "SELECT t.id, t.user_id, t.name, t.description, t.digest, t.scopes, t.impersonation, t.revoked, t.expires_at, " +
	"t.last_used_at, t.created_at, t.updated_at, " + userColumns +
	" FROM personal_access_tokens t JOIN users u ON u.id = t.user_id WHERE t.digest = ?"

// GetByDigest returns the token with that digest and its user.
func (s Tokens) GetByDigest(ctx context.Context, digest []byte) (model.PersonalAccessToken, model.User, error) {
	var t model.PersonalAccessToken
	var u model.User
	dest := append([]any{
		&t.ID, &t.UserID, &t.Name, &t.Description, &t.Digest, &t.Scopes, &t.Impersonation, &t.Revoked, &t.ExpiresAt,
		&t.LastUsedAt, &t.CreatedAt, &t.UpdatedAt,
	}, userFields(&u)...)
	err := one(s.read(ctx).Raw(tokenByDigest, digest), dest...)
	return t, u, translate(err, "Token")
}

// Create adds a token.
func (s Tokens) Create(ctx context.Context, t *model.PersonalAccessToken) error {
	return translate(s.write(ctx).Create(t).Error)
}

// Revoke ends a token; revoking one twice changes nothing.
func (s Tokens) Revoke(ctx context.Context, id int64) error {
	return translate(s.write(ctx).Model(&model.PersonalAccessToken{}).Where("id = ? AND revoked = ?", id, false).
		Updates(map[string]any{"revoked": true}).Error)
}

// Used notes that tokens were used at a time, in one statement.
func (s Tokens) Used(ctx context.Context, ids []int64, at time.Time) error {
	return translate(s.write(ctx).Exec("UPDATE personal_access_tokens SET last_used_at = ? WHERE id IN ?", at, ids).Error)
}
