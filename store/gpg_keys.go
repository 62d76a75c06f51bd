package store

import (
	"context"
	"time"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// GPGKeys holds the OpenPGP keys of users.
type GPGKeys struct{ *base }

const gpgKey = "GPG Key"

// ListByUser returns one page of the keys of a user, the oldest first.
func (s GPGKeys) ListByUser(ctx context.Context, userID int64, p Page) ([]model.GPGKey, Total, error) {
	return list[model.GPGKey](s.read(ctx).Where("user_id = ?", userID).Order("id"), p)
}

// GetOfUser returns a key of a user.
func (s GPGKeys) GetOfUser(ctx context.Context, userID, id int64) (model.GPGKey, error) {
	return take[model.GPGKey](s.read(ctx).Where("user_id = ? AND id = ?", userID, id), gpgKey)
}

// Create adds a key with its subkeys. It returns a *ConflictError if any user has the key already.
func (s GPGKeys) Create(ctx context.Context, row *model.GPGKey, subkeys []model.GPGKeySubkey) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		row.SubkeysRead = true
		if err := s.write(ctx).Create(row).Error; err != nil {
			return translate(err)
		}
		return s.addSubkeys(ctx, row.ID, subkeys)
	})
}

func (s GPGKeys) addSubkeys(ctx context.Context, id int64, subkeys []model.GPGKeySubkey) error {
	for i := range subkeys {
		subkeys[i].GPGKeyID = id
	}
	if len(subkeys) == 0 {
		return nil
	}
	return translate(s.write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(subkeys, 500).Error)
}

// WithoutSubkeys returns at most the given number of keys whose subkeys are not stored yet.
func (s GPGKeys) WithoutSubkeys(ctx context.Context, most int) ([]model.GPGKey, error) {
	rows, err := find[model.GPGKey](s.read(ctx).Where("subkeys_read = ?", false).Order("id").Limit(most), most)
	return rows, translate(err)
}

// SetSubkeys adds the subkeys of a key that was stored without them.
func (s GPGKeys) SetSubkeys(ctx context.Context, id int64, subkeys []model.GPGKeySubkey) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// The update locks the row, so that the key cannot be deleted before its subkeys are added.
		res := s.write(ctx).Model(&model.GPGKey{}).Where("id = ?", id).UpdateColumn("subkeys_read", true)
		if res.Error != nil || res.RowsAffected == 0 {
			return translate(res.Error)
		}
		return s.addSubkeys(ctx, id, subkeys)
	})
}

// Signers returns the keys that may have made a signature, by the key id in the signature. There is one at most, unless
// somebody has crafted keys with the same id; then Signers returns at most five.
func (s GPGKeys) Signers(ctx context.Context, keyID string) ([]model.GPGSigner, error) {
	q := s.read(ctx).Select("gpg_keys.*, s.id AS subkey_id").
		Joins("LEFT JOIN gpg_key_subkeys s ON s.gpg_key_id = gpg_keys.id AND s.key_id = ?", keyID).
		Where("gpg_keys.id IN (SELECT id FROM gpg_keys WHERE key_id = ? UNION SELECT gpg_key_id FROM gpg_key_subkeys WHERE key_id = ?)",
			keyID, keyID)
	rows, err := find[model.GPGSigner](q.Order("gpg_keys.id").Limit(5), 1)
	return rows, translate(err)
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
