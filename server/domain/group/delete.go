package group

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store/model"
)

// Delete deletes a group and all its subgroups, unless it was changed after the given time.
func (s *Service) Delete(ctx context.Context, row model.Namespace, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.hooks.GroupDeleted(ctx, row)
		if err == nil {
			err = s.store.Namespaces.Delete(ctx, row.ID, unmodifiedSince)
		}
		return events.OfGroup(row, "group_destroyed", "Removed group"), err
	})
}
