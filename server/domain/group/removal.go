package group

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Removal says how a group is deleted.
type Removal struct {
	Permanently     bool   // deletes a group that is marked already
	FullPath        string // confirms a permanent deletion
	UnmodifiedSince *time.Time
}

// Remove deletes a group with everything in it, or marks it for deletion if the settings have a period for that. It
// reports whether the group is only marked.
func (s *Service) Remove(ctx context.Context, g model.Namespace, r Removal) (marked bool, err error) {
	days := s.store.Settings.Current().DeletionAdjournedPeriod
	isMarked := g.MarkedForDeletionAt != nil
	switch {
	case r.Permanently && r.FullPath != g.FullPath:
		return false, apierr.Refused("`full_path` is incorrect. You must enter the complete path for the group.")
	case days == 0 || r.Permanently && isMarked:
		return false, s.Delete(ctx, g, r.UnmodifiedSince)
	case r.Permanently:
		return false, apierr.Refused("Group must be marked for deletion first.")
	case isMarked:
		return false, apierr.Refused("Group has been already marked for deletion")
	case store.ChangedAfter(g.UpdatedAt, r.UnmodifiedSince):
		return false, &store.ChangedError{Resource: "Group"}
	}
	return true, s.mark(ctx, g, clock.Now(ctx).UTC().AddDate(0, 0, int(days)))
}

// mark marks a group for deletion at a time.
func (s *Service) mark(ctx context.Context, g model.Namespace, deleteAt time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ScheduledDeletions.MarkGroup(ctx, g, reqctx.Of(ctx).Actor.User.ID, deleteAt)
		return events.OfGroup(g, "group_deletion_marked", "Group marked for deletion"), err
	})
	if errors.Is(err, store.ErrAlreadyMarked) {
		return apierr.Refused("Group has been already marked for deletion")
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
