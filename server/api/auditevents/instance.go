package auditevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
)

// ListAuditEvents lists the audit events of the whole instance.
// GET /audit_events
func (a *AuditEvents) ListAuditEvents(
	ctx context.Context, req gen.ListAuditEventsRequestObject,
) (gen.ListAuditEventsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadAuditEvent); err != nil {
		return nil, err
	}
	if err := a.requirePaid(); err != nil {
		return nil, err
	}
	q := req.Params
	filter := store.AuditFilter{After: q.CreatedAfter.Std(), Before: q.CreatedBefore.Std(), EntityID: q.EntityID}
	switch {
	case q.EntityType != nil:
		filter.EntityType = string(*q.EntityType)
	case q.EntityID != nil:
		return nil, apierr.BadParameter("entity_type is missing")
	}
	rows, headers, err := a.list(ctx, filter, query{q.Pagination, q.OrderBy, q.Sort, q.Cursor, q.Page, q.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListAuditEvents200JSONResponse{
		Body: present.All(rows, present.AuditEvent), Headers: gen.ListAuditEvents200ResponseHeaders(headers),
	}, nil
}

// GetAuditEvent returns an audit event.
// GET /audit_events/{id}
func (a *AuditEvents) GetAuditEvent(
	ctx context.Context, req gen.GetAuditEventRequestObject,
) (gen.GetAuditEventResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadAuditEvent); err != nil {
		return nil, err
	}
	if err := a.requirePaid(); err != nil {
		return nil, err
	}
	row, err := a.find(ctx, req.ID, "", 0)
	if err != nil {
		return nil, err
	}
	return gen.GetAuditEvent200JSONResponse(present.AuditEvent(row)), nil
}
