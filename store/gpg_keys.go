package store

import (
	"context"
	"time"

	"svc/store/model"
)

// GPGKeys are the OpenPGP keys of users.
type GPGKeys struct{ *base }

const gpgKey = "GPG Key"

// ListByUser returns one page of a user's keys in the order of their creation.
func (s GPGKeys) ListByUser(ctx context.Context, userID int64, p Page) ([]model.GPGKey, Total, error) {
	return list[model.GPGKey](s.read(ctx).Where("user_id = ?", userID).Order("id"), p)
}

// GetOfUser returns a key of a user.
func (s GPGKeys) GetOfUser(ctx context.Context, userID, id int64) (model.GPGKey, error) {
	return take[model.GPGKey](s.read(ctx).Where("user_id = ? AND id = ?", userID, id), gpgKey)
}

// Create adds a key, unless it is anybody's already: then it is a *ConflictError.
func (s GPGKeys) Create(ctx context.Context, row *model.GPGKey) error {
	return translate(s.write(ctx).Create(row).Error)
}

// DeleteOfUser removes a key of a user, unless it was changed after the given time.
func (s GPGKeys) DeleteOfUser(ctx context.Context, userID, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		row, err := s.GetOfUser(ctx, userID, id)
		if err != nil {
			return err
		}
		return deleteOne(ctx, s.base, row, gpgKey, unchangedSince)
	})
}
