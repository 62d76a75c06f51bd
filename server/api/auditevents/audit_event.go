package auditevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
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
func (a *AuditEvents) GetAuditEvent(ctx context.Context, req gen.GetAuditEventRequestObject) (gen.GetAuditEventResponseObject, error) {
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
	filter := store.AuditFilter{EntityType: "Group", EntityID: &group.ID, After: q.CreatedAfter.Std(), Before: q.CreatedBefore.Std()}
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

// authorFilter returns the author to filter by: the caller, unless the caller may see the events of all authors.
func authorFilter(ctx context.Context, all bool) *int64 {
	actor := reqctx.Of(ctx).Actor
	if all || actor == nil {
		return nil
	}
	return &actor.User.ID
}
