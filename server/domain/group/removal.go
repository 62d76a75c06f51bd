package group

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/removal"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Remove deletes a group with everything in it, or marks it for deletion if the settings have a period for that. It
// reports whether the group is only marked.
func (s *Service) Remove(ctx context.Context, g model.Namespace, r removal.Request) (marked bool, err error) {
	subject := removal.Subject{Type: "Group", FullPath: g.FullPath, MarkedAt: g.MarkedForDeletionAt, UpdatedAt: g.UpdatedAt}
	deleteAt, err := r.DeleteAt(ctx, subject, s.store.Settings.Current().DeletionAdjournedPeriod)
	switch {
	case err != nil:
		return false, err
	case deleteAt == nil:
		return false, s.Delete(ctx, g, r.UnmodifiedSince)
	}
	return true, s.mark(ctx, g, *deleteAt)
}

// mark marks a group for deletion at a time.
func (s *Service) mark(ctx context.Context, g model.Namespace, deleteAt time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ScheduledDeletions.MarkGroup(ctx, g, reqctx.Of(ctx).Actor.User.ID, deleteAt)
		return events.OfGroup(g, "group_deletion_marked", "Group marked for deletion"), err
	})
	if errors.Is(err, store.ErrAlreadyMarked) {
		return removal.AlreadyMarked("Group")
	}
	return explainSave(err)
}

// Restore brings a group back that is marked for deletion, with everything that was marked with it.
func (s *Service) Restore(ctx context.Context, g model.Namespace) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return events.OfGroup(g, "group_restored", "Group restored"), s.store.ScheduledDeletions.RestoreGroup(ctx, g)
	})
	switch {
	case store.IsNotFound(err):
		return apierr.Refused("Group has not been marked for deletion")
	case errors.Is(err, store.ErrGroupMarked):
		return apierr.Refused("The group above is marked for deletion. Restore it first")
	}
	return explainSave(err)
}
