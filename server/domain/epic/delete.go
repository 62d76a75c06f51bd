package epic

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store/model"
)

// Delete deletes an epic. With unmodifiedSince, it fails if the epic has changed since then.
func (s *Service) Delete(ctx context.Context, group model.Namespace, e model.Epic, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return events.Change{
			Type: "delete_epic", Entity: events.Group(group),
			Target:  events.Target{Type: model.OnEpic, ID: e.ID, Details: e.Title},
			Message: "Removed epic", Remove: "epic",
		}, s.store.Epics.Delete(ctx, e.ID, unmodifiedSince)
	})
}
