package errortracking

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"svc/server/domain/monitoring/errortracking/format"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// CreateKey creates a client key.
func (s *Service) CreateKey(ctx context.Context, p model.Project) (model.ErrorTrackingKey, error) {
	k := model.ErrorTrackingKey{ProjectID: p.ID, Key: format.Prefix + randomHex()}
	k.Digest, k.Sealed = secret.Digest(k.Key), s.vault.Seal([]byte(k.Key), sealOwner(k.ProjectID))
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.ErrorTracking.CreateKey(ctx, &k); err != nil {
			return err
		}
		return s.audit(ctx, p, k, "error_tracking_client_key_created", "Added a client key")
	})
	if errors.Is(err, store.ErrTooMany) {
		err = apierr.Refused("Maximum number of client keys (100) exceeded")
	}
	return k, err
}

// DeleteKey deletes a client key, unless it has changed after the time.
func (s *Service) DeleteKey(
	ctx context.Context, p model.Project, k model.ErrorTrackingKey, unchangedSince *time.Time,
) error {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.ErrorTracking.DeleteKey(ctx, k, unchangedSince); err != nil {
			return err
		}
		return s.audit(ctx, p, k, "error_tracking_client_key_deleted", "Removed a client key")
	})
	return apierr.OrNotFound(err)
}

// Decrypt returns a row with the client key in plain text.
func (s *Service) Decrypt(k model.ErrorTrackingKey) (model.ErrorTrackingKey, error) {
	plain, err := s.vault.Open(k.Sealed, sealOwner(k.ProjectID))
	k.Key = string(plain)
	return k, err
}

// sealOwner is the owner under which the vault encrypts a client key.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// randomHex returns 16 random bytes as hexadecimal digits.
func randomHex() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}
