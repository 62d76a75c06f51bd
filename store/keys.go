package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Keys holds the SSH keys of users.
type Keys struct{ *base }

const (
	key      = "Key"
	keyOwner = "SELECT k.id, k.user_id, k.title, k.key, k.fingerprint_sha256, k.fingerprint_md5, k.usage_type, k.expires_at, " +
		"k.created_at, k.updated_at, " + userColumns + " FROM keys k JOIN users u ON u.id = k.user_id WHERE "
)

// ListByUser returns one page of the keys of a user, the oldest first.
func (s Keys) ListByUser(ctx context.Context, userID int64, p Page) ([]model.Key, Total, error) {
	return query.List[model.Key](s.db.Read(ctx).Where("user_id = ?", userID).Order("id"), p)
}

// GetOfUser returns a key of a user.
func (s Keys) GetOfUser(ctx context.Context, userID, id int64) (model.Key, error) {
	return query.Take[model.Key](s.db.Read(ctx).Where("user_id = ? AND id = ?", userID, id), key)
}

// GetWithUser returns a key and its owner.
func (s Keys) GetWithUser(ctx context.Context, id int64) (model.Key, model.User, error) {
	return s.withUser(ctx, keyOwner+"k.id = ?", id)
}

// GetBySHA256 returns the key with the given fingerprint and its owner.
func (s Keys) GetBySHA256(ctx context.Context, fingerprint string) (model.Key, model.User, error) {
	return s.withUser(ctx, keyOwner+"k.fingerprint_sha256 = ?", fingerprint)
}

// GetByMD5 returns the oldest key with the given fingerprint and its owner.
func (s Keys) GetByMD5(ctx context.Context, fingerprint string) (model.Key, model.User, error) {
	return s.withUser(ctx, keyOwner+"k.fingerprint_md5 = ? ORDER BY k.id LIMIT 1", fingerprint)
}

func (s Keys) withUser(ctx context.Context, statement string, arg any) (model.Key, model.User, error) {
	var k model.Key
	var u model.User
	dest := append([]any{
		&k.ID, &k.UserID, &k.Title, &k.Key, &k.FingerprintSHA256, &k.FingerprintMD5, &k.UsageType, &k.ExpiresAt, &k.CreatedAt, &k.UpdatedAt,
	}, userFields(&u)...)
	err := s.db.Row(ctx, statement, []any{arg}, dest...)
	return k, u, query.Translate(err, key)
}

// Create adds a key. It returns a *ConflictError if any user has the key already.
func (s Keys) Create(ctx context.Context, row *model.Key) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// DeleteOfUser removes a key of a user, unless it was changed after the given time.
func (s Keys) DeleteOfUser(ctx context.Context, userID, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		row, err := s.GetOfUser(ctx, userID, id)
		if err != nil {
			return err
		}
		return query.DeleteOne(ctx, s.db, row, key, unchangedSince)
	})
}
