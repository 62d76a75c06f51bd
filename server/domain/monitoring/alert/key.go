package alert

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
	"svc/store/secret"
)

// keyBytes is the number of random bytes in the key of an integration.
const keyBytes = 16

// ResetKey gives an integration a new key.
func (s *Service) ResetKey(ctx context.Context, p model.Project, i model.AlertIntegration) (model.AlertIntegration, error) {
	key := randomHex(keyBytes)
	set := map[string]any{"digest": secret.Digest(key), "sealed": s.vault.Seal([]byte(key), sealOwner(p.ID))}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (c events.Change, err error) {
		i, err = s.store.Alerts.UpdateIntegration(ctx, i, set)
		return changeOf(p, i, "alert_integration_key_reset", "Reset the key of an alert integration"), err
	})
	return i, apierr.OrNotFound(err)
}

// Decrypt returns an integration with its key.
func (s *Service) Decrypt(i model.AlertIntegration) (model.AlertIntegration, error) {
	plain, err := s.vault.Open(i.Sealed, sealOwner(i.ProjectID))
	i.Key = string(plain)
	return i, err
}

// sealOwner is the owner under which the vault encrypts the key of an integration.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// randomHex returns random bytes as hexadecimal digits.
func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
