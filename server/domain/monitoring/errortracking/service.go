// Package errortracking manages error tracking: the settings of projects, the client keys that programs report errors
// with, and the events that they report. Package format parses the events.
package errortracking

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// lifetime is how long events, and errors that do not occur again, are kept.
const lifetime = 90 * 24 * time.Hour

// Service manages error tracking.
type Service struct {
	store  *store.Store
	events *events.Recorder
	vault  secret.Vault // encrypts client keys
}

// New returns the service.
func New(st *store.Store, recorder *events.Recorder, vault secret.Vault) *Service {
	return &Service{store: st, events: recorder, vault: vault}
}

// Expire deletes events, and errors that did not occur for a long time.
func (s *Service) Expire(ctx context.Context, now time.Time) error {
	return s.store.ErrorTracking.DeleteOld(ctx, now.UTC().Add(-lifetime))
}

// audit records a change of a client key as an audit event.
func (s *Service) audit(ctx context.Context, p model.Project, k model.ErrorTrackingKey, kind, message string) error {
	return s.events.Audit(ctx, events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "ErrorTracking::ClientKey", ID: k.ID, Details: "client key"},
	})
}
