package auditevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectAuditEvents lists the audit events of a project. Maintainers see all events, other members only their own.
// GET /projects/{id}/audit_events
func (a *AuditEvents) ListProjectAuditEvents(
	ctx context.Context, req gen.ListProjectAuditEventsRequestObject,
) (gen.ListProjectAuditEventsResponseObject, error) {
	project, err := a.access.Project(ctx, req.ID, access.ReadProjectAuditEvents)
	if err != nil {
		return nil, err
	}
	if err := a.requirePaid(); err != nil {
		return nil, err
	}
	q := req.Params
	filter := store.AuditFilter{
		EntityType: "Project",
		EntityID:   &project.Project.ID,
		After:      q.CreatedAfter.Std(),
		Before:     q.CreatedBefore.Std(),
	}
	filter.AuthorID = authorFilter(ctx, project.Role() >= model.Maintainer)
	rows, headers, err := a.list(ctx, filter, query{q.Pagination, q.OrderBy, q.Sort, q.Cursor, q.Page, q.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAuditEvents200JSONResponse{
		Body: present.All(rows, present.AuditEvent), Headers: gen.ListProjectAuditEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectAuditEvent returns an audit event of a project.
// GET /projects/{id}/audit_events/{audit_event_id}
func (a *AuditEvents) GetProjectAuditEvent(
	ctx context.Context, req gen.GetProjectAuditEventRequestObject,
) (gen.GetProjectAuditEventResponseObject, error) {
	project, err := a.access.Project(ctx, req.ID, access.ReadProjectAuditEvent)
	if err != nil {
		return nil, err
	}
	if err := a.requirePaid(); err != nil {
		return nil, err
	}
	row, err := a.find(ctx, req.AuditEventID, "Project", project.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectAuditEvent200JSONResponse(present.AuditEvent(row)), nil
}
