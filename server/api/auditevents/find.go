package auditevents

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// find finds an audit event. An event of another entity is a 404. An empty kind accepts every entity.
func (a *AuditEvents) find(ctx context.Context, id int64, kind string, entity int64) (model.AuditEvent, error) {
	row, err := a.store.AuditEvents.Get(ctx, id)
	if store.IsNotFound(err) || err == nil && kind != "" && (row.EntityType != kind || row.EntityID != entity) {
		return row, apierr.RecordNotFound()
	}
	return row, err
}

// authorFilter returns the author to filter by: the caller, unless the caller may see the events of all authors.
func authorFilter(ctx context.Context, all bool) *int64 {
	actor := reqctx.Of(ctx).Actor
	if all || actor == nil {
		return nil
	}
	return &actor.User.ID
}
