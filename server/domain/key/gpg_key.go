package key

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// AddGPG adds a GPG key to a user. text is an armored public key.
func (s *Service) AddGPG(ctx context.Context, userID int64, text string) (model.GPGKey, error) {
	row, subkeys, err := readGPG(text)
	if err != nil {
		return row, err
	}
	row.UserID = userID
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		in, err := events.Account(ctx, s.store, userID)
		if err == nil {
			err = s.store.GPGKeys.Create(ctx, &row, subkeys)
		}
		return gpgChange(in, row, "gpg_key_created", "Added GPG key"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("fingerprint", "has already been taken")
	}
	return row, err
}

// RemoveGPG deletes a GPG key of a user, unless the key was changed after the given time.
func (s *Service) RemoveGPG(ctx context.Context, userID, id int64, unchangedSince *time.Time) error {
	return s.removeGPG(ctx, userID, id, "deleted", unchangedSince)
}

// RevokeGPG deletes a GPG key of a user that nobody should trust any more.
func (s *Service) RevokeGPG(ctx context.Context, userID, id int64) error {
	return s.removeGPG(ctx, userID, id, "revoked", nil)
}

func (s *Service) removeGPG(ctx context.Context, userID, id int64, how string, unchangedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		row, err := s.store.GPGKeys.GetOfUser(ctx, userID, id)
		if err != nil {
			return events.Change{}, err
		}
		in, err := events.Account(ctx, s.store, userID)
		if err == nil {
			err = s.store.GPGKeys.DeleteOfUser(ctx, userID, id, unchangedSince)
		}
		return gpgChange(in, row, "gpg_key_"+how, "GPG key "+how), err
	})
}

func gpgChange(in events.Entity, row model.GPGKey, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  in,
		Target:  events.Target{Type: "GpgKey", ID: row.ID, Details: strings.ToUpper(row.Fingerprint)},
		Message: message,
	}
}
