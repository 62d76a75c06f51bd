// Package errortracking implements the API operations on error tracking: the errors that the programs of a project
// report, the client keys that they use, and the settings.
package errortracking

import (
	"context"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// ErrorTracking implements the operations on error tracking.
type ErrorTracking struct {
	store  *store.Store
	access *access.Access
	events *events.Recorder
	vault  secret.Vault
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the error tracking operations.
func New(
	st *store.Store, a *access.Access, recorder *events.Recorder, vault secret.Vault, pages pagination.MaxOffset,
	show present.Presenter,
) *ErrorTracking {
	return &ErrorTracking{store: st, access: a, events: recorder, vault: vault, pages: pages, show: show}
}

// sealOwner is the owner under which the vault encrypts a client key.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// decryptKey decrypts a client key.
func (e *ErrorTracking) decryptKey(k model.ErrorTrackingKey) (model.ErrorTrackingKey, error) {
	plain, err := e.vault.Open(k.Sealed, sealOwner(k.ProjectID))
	k.Key = string(plain)
	return k, err
}

// audit records a change of error tracking as an audit event.
func (e *ErrorTracking) audit(ctx context.Context, p model.Project, kind, message string, target events.Target) error {
	return e.events.Audit(ctx, events.Change{Type: kind, Entity: events.Project(p), Target: target, Message: message})
}
