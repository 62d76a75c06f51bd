package project

import (
	"context"
	"errors"
	"net/http"
	"time"

	"svc/server/domain/removal"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Remove deletes a project, or marks it for deletion if the settings have a period for that. It reports whether the
// project is only marked.
func (s *Service) Remove(ctx context.Context, p model.Project, r removal.Request) (marked bool, err error) {
	subject := removal.Subject{Type: "Project", FullPath: p.FullPath, MarkedAt: p.MarkedForDeletionAt, UpdatedAt: p.UpdatedAt}
	deleteAt, err := r.DeleteAt(ctx, subject, s.store.Settings.Current().DeletionAdjournedPeriod)
	switch {
	case err != nil:
		return false, err
	case deleteAt == nil:
		return false, s.Delete(ctx, p, r.UnmodifiedSince)
	}
	return true, s.mark(ctx, p, *deleteAt)
}

// mark marks a project for deletion at a time.
func (s *Service) mark(ctx context.Context, p model.Project, deleteAt time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ScheduledDeletions.MarkProject(ctx, p, reqctx.Of(ctx).Actor.User.ID, deleteAt)
		if err == nil {
			err = s.hooks.Project(ctx, payload.EventProjectRename, p.ID, p.FullPath)
		}
		return events.OfProject(p, "project_deletion_marked", "Project marked for deletion"), err
	})
	if errors.Is(err, store.ErrAlreadyMarked) {
		return removal.AlreadyMarked("Project")
	}
	return explain(err)
}

// Restore brings a project back that is marked for deletion.
func (s *Service) Restore(ctx context.Context, p model.Project) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ScheduledDeletions.RestoreProject(ctx, p)
		if err == nil {
			err = s.hooks.Project(ctx, payload.EventProjectRename, p.ID, p.FullPath)
		}
		return events.OfProject(p, "project_restored", "Project restored"), err
	})
	switch {
	case store.IsNotFound(err):
		return apierr.Refused("Project has not been marked for deletion")
	case errors.Is(err, store.ErrGroupMarked):
		return apierr.Refused("The group of the project is marked for deletion. Restore the group first")
	}
	return explain(err)
}

// MakeWay marks a project for deletion that has a path in a namespace, so that another one can have the path. It does
// nothing if the caller sees no such project. The project can be restored for at least a day.
func (s *Service) MakeWay(ctx context.Context, in Place, path string) error {
	n, err := s.store.Namespaces.Get(ctx, in.namespaceID, "", store.Reader{Admin: true})
	if err != nil {
		return err
	}
	row, err := s.access.Project(ctx, n.FullPath+"/"+path, access.RemoveProject)
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	days := max(s.store.Settings.Current().DeletionAdjournedPeriod, 1)
	return s.mark(ctx, row.Project, removal.After(ctx, days))
}
