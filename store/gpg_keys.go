package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// GPGKeys holds the OpenPGP keys of users.
type GPGKeys struct{ *base }

const gpgKey = "GPG Key"

// ListByUser returns one page of the keys of a user, the oldest first.
func (s GPGKeys) ListByUser(ctx context.Context, userID int64, p Page) ([]model.GPGKey, Total, error) {
	return query.List[model.GPGKey](s.db.Read(ctx).Where("user_id = ?", userID).Order("id"), p)
}

// GetOfUser returns a key of a user.
func (s GPGKeys) GetOfUser(ctx context.Context, userID, id int64) (model.GPGKey, error) {
	return query.Take[model.GPGKey](s.db.Read(ctx).Where("user_id = ? AND id = ?", userID, id), gpgKey)
}

// Create adds a key with its subkeys. It returns a *ConflictError if any user has the key already.
func (s GPGKeys) Create(ctx context.Context, row *model.GPGKey, subkeys []model.GPGKeySubkey) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		row.SubkeysRead = true
		if err := s.db.Write(ctx).Create(row).Error; err != nil {
			return query.Translate(err)
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
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(subkeys, 500).Error)
}

// WithoutSubkeys returns at most the given number of keys whose subkeys are not stored yet.
func (s GPGKeys) WithoutSubkeys(ctx context.Context, most int) ([]model.GPGKey, error) {
	rows, err := query.Find[model.GPGKey](s.db.Read(ctx).Where("subkeys_read = ?", false).Order("id").Limit(most), most)
	return rows, query.Translate(err)
}

// SetSubkeys adds the subkeys of a key that was stored without them.
func (s GPGKeys) SetSubkeys(ctx context.Context, id int64, subkeys []model.GPGKeySubkey) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// The update locks the row, so that the key cannot be deleted before its subkeys are added.
		res := s.db.Write(ctx).Model(&model.GPGKey{}).Where("id = ?", id).UpdateColumn("subkeys_read", true)
		if res.Error != nil || res.RowsAffected == 0 {
			return query.Translate(res.Error)
		}
		return s.addSubkeys(ctx, id, subkeys)
	})
}

// Signers returns the keys that may have made a signature, by the key id in the signature. There is one at most, unless
// somebody has crafted keys with the same id; then Signers returns at most five.
func (s GPGKeys) Signers(ctx context.Context, keyID string) ([]model.GPGSigner, error) {
	q := s.db.Read(ctx).Select("gpg_keys.*, s.id AS subkey_id").
		Joins("LEFT JOIN gpg_key_subkeys s ON s.gpg_key_id = gpg_keys.id AND s.key_id = ?", keyID).
		Where("gpg_keys.id IN (SELECT id FROM gpg_keys WHERE key_id = ? UNION SELECT gpg_key_id FROM gpg_key_subkeys WHERE key_id = ?)",
			keyID, keyID)
	rows, err := query.Find[model.GPGSigner](q.Order("gpg_keys.id").Limit(5), 1)
	return rows, query.Translate(err)
}

// DeleteOfUser removes a key of a user, unless it was changed after the given time.
func (s GPGKeys) DeleteOfUser(ctx context.Context, userID, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		row, err := s.GetOfUser(ctx, userID, id)
		if err != nil {
			return err
		}
		return query.DeleteOne(ctx, s.db, row, gpgKey, unchangedSince)
	})
}
