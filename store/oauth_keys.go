package store

import (
	"context"
	"time"

	"svc/store/model"
)

// OAuthKeys sign ID tokens.
type OAuthKeys struct{ *base }

// List returns all keys, the newest first.
func (s OAuthKeys) List(ctx context.Context) ([]model.OAuthKey, error) {
	rows, err := find[model.OAuthKey](s.read(ctx).Order("id DESC"), 2)
	return rows, translate(err)
}

// Replace adds a key unless another process was quicker: wanted looks at those that are there and says whether one is
// missing, with the lock held.
func (s OAuthKeys) Replace(ctx context.Context, key model.OAuthKey, wanted func([]model.OAuthKey) bool) error {
	return s.Once(ctx, "oauth keys", func(ctx context.Context) error {
		rows, err := find[model.OAuthKey](s.write(ctx).Order("id DESC"), 2)
		if err != nil || !wanted(rows) {
			return translate(err)
		}
		return translate(s.write(ctx).Create(&key).Error)
	})
}

// DeleteBefore removes the keys that were made before a time; what they have signed cannot be checked any more.
func (s OAuthKeys) DeleteBefore(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("created_at < ?", before).Delete(&model.OAuthKey{})
	return res.RowsAffected, translate(res.Error)
}
