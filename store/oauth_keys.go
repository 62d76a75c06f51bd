package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// OAuthKeys holds the keys that sign ID tokens.
type OAuthKeys struct{ *base }

// List returns all keys, the newest first.
func (s OAuthKeys) List(ctx context.Context) ([]model.OAuthKey, error) {
	rows, err := query.Find[model.OAuthKey](s.db.Read(ctx).Order("id DESC"), 2)
	return rows, query.Translate(err)
}

// Replace adds a key if wanted returns true for the existing keys. It calls wanted under a lock, so only one of several
// processes adds a key.
func (s OAuthKeys) Replace(ctx context.Context, key model.OAuthKey, wanted func([]model.OAuthKey) bool) error {
	return s.Exclusive(ctx, "oauth keys", func(ctx context.Context) error {
		rows, err := query.Find[model.OAuthKey](s.db.Write(ctx).Order("id DESC"), 2)
		if err != nil || !wanted(rows) {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(&key).Error)
	})
}

// DeleteBefore removes the keys that were created before the given time and returns how many it removed. What they have
// signed can no longer be verified.
func (s OAuthKeys) DeleteBefore(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("created_at < ?", before).Delete(&model.OAuthKey{})
	return res.RowsAffected, query.Translate(res.Error)
}
