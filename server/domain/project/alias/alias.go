// Package alias creates and deletes the short names by which git clients find projects.
package alias

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

// Service creates and deletes aliases.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Create adds an alias of a project.
func (s *Service) Create(ctx context.Context, p model.Project, name string) (model.ProjectAlias, error) {
	made := model.ProjectAlias{ProjectID: p.ID, Name: name}
	for _, ending := range []string{".git", ".wiki"} {
		if strings.HasSuffix(strings.ToLower(name), ending) {
			return made, apierr.Invalid("name", "must not end with "+ending)
		}
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ProjectAliases.Create(ctx, &made)
		return change(made, "project_alias_created", "Added a project alias"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("name", "has already been taken")
	}
	return made, err
}

// Delete deletes an alias. With unmodifiedSince, it fails if the alias has changed since then.
func (s *Service) Delete(ctx context.Context, row model.ProjectAlias, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ProjectAliases.Delete(ctx, row, unmodifiedSince)
		return change(row, "project_alias_deleted", "Removed a project alias"), err
	})
}

// change describes a change of an alias for the audit log.
func change(row model.ProjectAlias, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Instance, Message: message,
		Target: events.Target{Type: "ProjectAlias", ID: row.ID, Details: row.Name},
	}
}
