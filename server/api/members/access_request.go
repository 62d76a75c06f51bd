package members

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

var requestKind = pagination.Kind{Name: "AccessRequest"}

// ListGroupAccessRequests lists the access requests of a group.
// GET /groups/{id}/access_requests
func (m *Members) ListGroupAccessRequests(
	ctx context.Context, req gen.ListGroupAccessRequestsRequestObject,
) (gen.ListGroupAccessRequestsResponseObject, error) {
	rows, headers, err := m.requests(ctx, m.group(req.ID), req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupAccessRequests200JSONResponse{Body: rows, Headers: gen.ListGroupAccessRequests200ResponseHeaders(headers)}, nil
}

// ListProjectAccessRequests lists the access requests of a project.
// GET /projects/{id}/access_requests
func (m *Members) ListProjectAccessRequests(
	ctx context.Context, req gen.ListProjectAccessRequestsRequestObject,
) (gen.ListProjectAccessRequestsResponseObject, error) {
	rows, headers, err := m.requests(ctx, m.project(req.ID), req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAccessRequests200JSONResponse{Body: rows, Headers: gen.ListProjectAccessRequests200ResponseHeaders(headers)}, nil
}

// CreateGroupAccessRequest requests access to a group for the caller.
// POST /groups/{id}/access_requests
func (m *Members) CreateGroupAccessRequest(
	ctx context.Context, req gen.CreateGroupAccessRequestRequestObject,
) (gen.CreateGroupAccessRequestResponseObject, error) {
	shown, err := m.ask(ctx, m.group(req.ID))
	return gen.CreateGroupAccessRequest201JSONResponse(shown), err
}

// CreateProjectAccessRequest requests access to a project for the caller.
// POST /projects/{id}/access_requests
func (m *Members) CreateProjectAccessRequest(
	ctx context.Context, req gen.CreateProjectAccessRequestRequestObject,
) (gen.CreateProjectAccessRequestResponseObject, error) {
	shown, err := m.ask(ctx, m.project(req.ID))
	return gen.CreateProjectAccessRequest201JSONResponse(shown), err
}

// DeleteGroupAccessRequest denies an access request. Users can withdraw their own request.
// DELETE /groups/{id}/access_requests/{user_id}
func (m *Members) DeleteGroupAccessRequest(
	ctx context.Context, req gen.DeleteGroupAccessRequestRequestObject,
) (gen.DeleteGroupAccessRequestResponseObject, error) {
	err := m.deny(ctx, m.group(req.ID), req.UserID, req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupAccessRequest204Response{}, err
}

// DeleteProjectAccessRequest denies an access request. Users can withdraw their own request.
// DELETE /projects/{id}/access_requests/{user_id}
func (m *Members) DeleteProjectAccessRequest(
	ctx context.Context, req gen.DeleteProjectAccessRequestRequestObject,
) (gen.DeleteProjectAccessRequestResponseObject, error) {
	err := m.deny(ctx, m.project(req.ID), req.UserID, req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectAccessRequest204Response{}, err
}

// UpdateGroupAccessRequestApprove approves an access request. The default role of the new member is Developer.
// PUT /groups/{id}/access_requests/{user_id}/approve
func (m *Members) UpdateGroupAccessRequestApprove(
	ctx context.Context, req gen.UpdateGroupAccessRequestApproveRequestObject,
) (gen.UpdateGroupAccessRequestApproveResponseObject, error) {
	shown, err := m.approve(ctx, m.group(req.ID), req.UserID, req.Body)
	return gen.UpdateGroupAccessRequestApprove201JSONResponse(shown), err
}

// UpdateProjectAccessRequestApprove approves an access request. The default role of the new member is Developer.
// PUT /projects/{id}/access_requests/{user_id}/approve
func (m *Members) UpdateProjectAccessRequestApprove(
	ctx context.Context, req gen.UpdateProjectAccessRequestApproveRequestObject,
) (gen.UpdateProjectAccessRequestApproveResponseObject, error) {
	shown, err := m.approve(ctx, m.project(req.ID), req.UserID, req.Body)
	return gen.UpdateProjectAccessRequestApprove201JSONResponse(shown), err
}

func (m *Members) requests(ctx context.Context, find finder, number, size *int64) ([]gen.AccessRequest, pagination.Headers, error) {
	in, err := find(ctx, readApplicants)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, requestKind, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.AccessRequests.List(ctx, in.kind, in.id, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, m.show.AccessRequest), window.Headers(total), nil
}

func (m *Members) ask(ctx context.Context, find finder) (gen.AccessRequest, error) {
	in, err := find(ctx, ask)
	if err != nil {
		return gen.AccessRequest{}, err
	}
	if in.role > model.NoAccess || !in.requestAccessEnabled {
		return gen.AccessRequest{}, apierr.Forbidden()
	}
	user, err := m.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return gen.AccessRequest{}, err
	}
	row := model.AccessRequest{SourceType: in.kind, SourceID: in.id, UserID: user.ID}
	err = events.Audited(ctx, m.store, func(ctx context.Context) (events.Change, error) {
		return in.change(user, "access_request_created", "Requested access"), m.store.AccessRequests.Create(ctx, &row)
	})
	if err != nil {
		return gen.AccessRequest{}, explainRequest(err)
	}
	return m.show.AccessRequest(model.AccessRequestRow{Request: row, User: user}), nil
}

func (m *Members) deny(ctx context.Context, find finder, userID int64, unmodifiedSince *string) error {
	what := manage
	if isCaller(ctx, userID) {
		what = ask
	}
	in, err := find(ctx, what)
	if err != nil {
		return err
	}
	return apierr.OrNotFound(events.Audited(ctx, m.store, func(ctx context.Context) (events.Change, error) {
		if err := m.store.AccessRequests.Delete(ctx, in.kind, in.id, userID, reqctx.UnmodifiedSince(unmodifiedSince)); err != nil {
			return events.Change{}, err
		}
		u, err := m.store.Users.Get(ctx, userID)
		return in.change(u, "access_request_denied", "Denied or withdrew an access request"), err
	}))
}

func (m *Members) approve(ctx context.Context, find finder, userID int64, b *gen.AccessRequestApprove) (gen.Member, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.Member{}, err
	}
	role := model.Developer
	if b != nil && b.AccessLevel != nil {
		role = model.Access(*b.AccessLevel)
	}
	row, err := in.newMember(ctx, role, nil)
	if err != nil {
		return gen.Member{}, err
	}
	row.UserID = userID
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.store.AccessRequests.Approve(ctx, &row); err != nil {
			return err
		}
		if err := m.store.Members.CheckInherited(ctx, in.kind, in.id, userID, role); err != nil {
			return err
		}
		return m.recordJoined(ctx, in, row)
	})
	if err != nil {
		return gen.Member{}, apierr.OrNotFound(explain(memberExists(err)))
	}
	return m.shown(ctx, in, userID, false)
}

func explainRequest(err error) error {
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Invalid("user_id", "already exists in source")
	}
	return err
}
