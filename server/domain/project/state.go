package project

import (
	"context"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// Archive makes a project read-only.
func (s *Service) Archive(ctx context.Context, p model.Project) error {
	return s.setArchived(ctx, p, true, events.OfProject(p, "project_archived", "Archived project"))
}

// Unarchive makes an archived project writable again, unless it is marked for deletion.
func (s *Service) Unarchive(ctx context.Context, p model.Project) error {
	if p.MarkedForDeletionAt != nil {
		return apierr.Refused("The project is marked for deletion. Restore it first")
	}
	return s.setArchived(ctx, p, false, events.OfProject(p, "project_unarchived", "Unarchived project"))
}

func (s *Service) setArchived(ctx context.Context, p model.Project, archived bool, c events.Change) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.Projects.Update(ctx, p.ID, map[string]any{"archived": archived}); err != nil {
			return c, err
		}
		return c, s.hooks.ProjectChanged(ctx, p)
	})
}

// Delete deletes a project, unless it was changed after the given time.
func (s *Service) Delete(ctx context.Context, p model.Project, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.hooks.Project(ctx, payload.EventProjectDestroy, p.ID, "")
		if err == nil {
			err = s.store.Projects.Delete(ctx, p.ID, unmodifiedSince)
		}
		return events.OfProject(p, "project_destroyed", "Removed project"), err
	})
}
