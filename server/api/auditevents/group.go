package auditevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListGroupAuditEvents lists the audit events of a group. Owners see all events, other members only their own.
// GET /groups/{id}/audit_events
func (a *AuditEvents) ListGroupAuditEvents(
	ctx context.Context, req gen.ListGroupAuditEventsRequestObject,
) (gen.ListGroupAuditEventsResponseObject, error) {
	group, role, err := a.access.Group(ctx, req.ID, access.ReadGroupAuditEvents)
	if err != nil {
		return nil, err
	}
	if err := a.requirePaid(); err != nil {
		return nil, err
	}
	q := req.Params
	filter := store.AuditFilter{
		EntityType: "Group", EntityID: &group.ID, After: q.CreatedAfter.Std(), Before: q.CreatedBefore.Std(),
	}
	filter.AuthorID = authorFilter(ctx, role >= model.Owner)
	rows, headers, err := a.list(ctx, filter, query{q.Pagination, q.OrderBy, q.Sort, q.Cursor, q.Page, q.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupAuditEvents200JSONResponse{
		Body: present.All(rows, present.AuditEvent), Headers: gen.ListGroupAuditEvents200ResponseHeaders(headers),
	}, nil
}

// GetGroupAuditEvent returns an audit event of a group.
// GET /groups/{id}/audit_events/{audit_event_id}
func (a *AuditEvents) GetGroupAuditEvent(
	ctx context.Context, req gen.GetGroupAuditEventRequestObject,
) (gen.GetGroupAuditEventResponseObject, error) {
	group, _, err := a.access.Group(ctx, req.ID, access.ReadGroupAuditEvent)
	if err != nil {
		return nil, err
	}
	if err := a.requirePaid(); err != nil {
		return nil, err
	}
	row, err := a.find(ctx, req.AuditEventID, "Group", group.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupAuditEvent200JSONResponse(present.AuditEvent(row)), nil
}
