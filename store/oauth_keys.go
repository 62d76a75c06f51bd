package store

import (
	"context"
	"time"

	"svc/store/model"
)

// OAuthKeys holds the keys that sign ID tokens.
type OAuthKeys struct{ *base }

// List returns all keys, the newest first.
func (s OAuthKeys) List(ctx context.Context) ([]model.OAuthKey, error) {
	rows, err := find[model.OAuthKey](s.read(ctx).Order("id DESC"), 2)
	return rows, translate(err)
}

// Replace adds a key if wanted returns true for the existing keys. It calls wanted under a lock, so only one of several
// processes adds a key.
func (s OAuthKeys) Replace(ctx context.Context, key model.OAuthKey, wanted func([]model.OAuthKey) bool) error {
	return s.Exclusive(ctx, "oauth keys", func(ctx context.Context) error {
		rows, err := find[model.OAuthKey](s.write(ctx).Order("id DESC"), 2)
		if err != nil || !wanted(rows) {
			return translate(err)
		}
		return translate(s.write(ctx).Create(&key).Error)
	})
}

// DeleteBefore removes the keys that were created before the given time and returns how many it removed. What they have
// signed can no longer be verified.
func (s OAuthKeys) DeleteBefore(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("created_at < ?", before).Delete(&model.OAuthKey{})
	return res.RowsAffected, translate(res.Error)
}
