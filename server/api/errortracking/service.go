// Package errortracking is the errors of the programs that projects make.
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

// ErrorTracking are the operations on errors.
type ErrorTracking struct {
	store  *store.Store
	access *access.Access
	events *events.Recorder
	vault  secret.Vault
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New takes how projects are judged, and what client keys are sealed with.
func New(st *store.Store, a *access.Access, recorder *events.Recorder, vault secret.Vault, pages pagination.MaxOffset, show present.Presenter) *ErrorTracking {
	return &ErrorTracking{store: st, access: a, events: recorder, vault: vault, pages: pages, show: show}
}

// owner is whom a client key is sealed for.
func owner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// open reads a client key.
func (e *ErrorTracking) open(k model.ErrorTrackingKey) (model.ErrorTrackingKey, error) {
	plain, err := e.vault.Open(k.Sealed, owner(k.ProjectID))
	k.Key = string(plain)
	return k, err
}

// audit writes a change of error tracking.
func (e *ErrorTracking) audit(ctx context.Context, p model.Project, kind, message string, target events.Target) error {
	return e.events.Audit(ctx, events.Change{Type: kind, Entity: events.Project(p), Target: target, Message: message})
}
