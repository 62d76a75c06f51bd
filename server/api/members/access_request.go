package members

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/page"
	"svc/server/present"
	"svc/server/request"
	"svc/store"
	"svc/store/model"
)

var requestKind = page.Kind{Name: "AccessRequest"}

// ListGroupAccessRequests lists who asks to become a member.
// GET /groups/{id}/access_requests
func (m *Members) ListGroupAccessRequests(ctx context.Context, req gen.ListGroupAccessRequestsRequestObject) (gen.ListGroupAccessRequestsResponseObject, error) {
	group, _, err := m.access.Group(ctx, req.ID, access.AdminGroupMember)
	if err != nil {
		return nil, err
	}
	window, err := m.pages.Offset(ctx, requestKind, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.AccessRequests.List(ctx, model.SourceGroup, group.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupAccessRequests200JSONResponse{
		Body:    present.All(rows, m.show.AccessRequest),
		Headers: gen.ListGroupAccessRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateGroupAccessRequest notes that the caller asks to become a member.
// POST /groups/{id}/access_requests
func (m *Members) CreateGroupAccessRequest(ctx context.Context, req gen.CreateGroupAccessRequestRequestObject) (gen.CreateGroupAccessRequestResponseObject, error) {
	group, role, err := m.access.Group(ctx, req.ID, access.RequestGroupAccess)
	if err != nil {
		return nil, err
	}
	if role > model.NoAccess || !group.RequestAccessEnabled {
		return nil, apierr.Forbidden()
	}
	user, err := m.store.Users.Get(ctx, request.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	row := model.AccessRequest{SourceType: model.SourceGroup, SourceID: group.ID, UserID: user.ID}
	if err := m.store.AccessRequests.Create(ctx, &row); err != nil {
		return nil, explainRequest(err)
	}
	return gen.CreateGroupAccessRequest201JSONResponse(m.show.AccessRequest(model.AccessRequestRow{Request: row, User: user})), nil
}

// DeleteGroupAccessRequest denies an access request; everybody may withdraw their own.
// DELETE /groups/{id}/access_requests/{user_id}
func (m *Members) DeleteGroupAccessRequest(ctx context.Context, req gen.DeleteGroupAccessRequestRequestObject) (gen.DeleteGroupAccessRequestResponseObject, error) {
	ability := access.AdminGroupMember
	if actor := request.Of(ctx).Actor; actor != nil && actor.User.ID == req.UserID {
		ability = access.RequestGroupAccess
	}
	group, _, err := m.access.Group(ctx, req.ID, ability)
	if err != nil {
		return nil, err
	}
	since := request.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := m.store.AccessRequests.Delete(ctx, model.SourceGroup, group.ID, req.UserID, since); err != nil {
		return nil, missing(err)
	}
	return gen.DeleteGroupAccessRequest204Response{}, nil
}

// UpdateGroupAccessRequestApprove makes who asked a member, a developer unless said otherwise.
// PUT /groups/{id}/access_requests/{user_id}/approve
func (m *Members) UpdateGroupAccessRequestApprove(ctx context.Context, req gen.UpdateGroupAccessRequestApproveRequestObject) (gen.UpdateGroupAccessRequestApproveResponseObject, error) {
	group, _, err := m.access.Group(ctx, req.ID, access.AdminGroupMember)
	if err != nil {
		return nil, err
	}
	row := model.Member{SourceType: model.SourceGroup, SourceID: group.ID, UserID: req.UserID, AccessLevel: model.Developer}
	row.CreatedByID = &request.Of(ctx).Actor.User.ID
	if req.Body != nil && req.Body.AccessLevel != nil {
		row.AccessLevel = model.Access(*req.Body.AccessLevel)
	}
	if err := m.store.AccessRequests.Approve(ctx, &row); err != nil {
		return nil, missing(err)
	}
	shown, err := m.store.Members.Get(ctx, of(group, false), req.UserID)
	if err != nil {
		return nil, missing(err)
	}
	return gen.UpdateGroupAccessRequestApprove201JSONResponse(m.show.Member(seesEmail(ctx))(shown)), nil
}

func explainRequest(err error) error {
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Invalid("user_id", "already exists in source")
	}
	return err
}
