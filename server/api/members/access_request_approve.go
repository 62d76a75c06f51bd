package members

import (
	"context"

	"svc/gen"
	"svc/store/model"
)

// ApproveGroupAccessRequest approves an access request. The default role of the new member is Developer.
// PUT /groups/{id}/access_requests/{user_id}/approve
func (m *Members) ApproveGroupAccessRequest(
	ctx context.Context, req gen.ApproveGroupAccessRequestRequestObject,
) (gen.ApproveGroupAccessRequestResponseObject, error) {
	shown, err := m.approve(ctx, m.group(req.ID), req.UserID, req.Body)
	return gen.ApproveGroupAccessRequest201JSONResponse(shown), err
}

// ApproveProjectAccessRequest approves an access request. The default role of the new member is Developer.
// PUT /projects/{id}/access_requests/{user_id}/approve
func (m *Members) ApproveProjectAccessRequest(
	ctx context.Context, req gen.ApproveProjectAccessRequestRequestObject,
) (gen.ApproveProjectAccessRequestResponseObject, error) {
	shown, err := m.approve(ctx, m.project(req.ID), req.UserID, req.Body)
	return gen.ApproveProjectAccessRequest201JSONResponse(shown), err
}

// approve makes a user who requested access a member.
func (m *Members) approve(
	ctx context.Context, find finder, userID int64, b *gen.AccessRequestApprove,
) (gen.Member, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.Member{}, err
	}
	role := model.Developer
	if b != nil && b.AccessLevel != nil {
		role = model.Access(*b.AccessLevel)
	}
	if err := m.members.Approve(ctx, in, userID, role); err != nil {
		return gen.Member{}, err
	}
	return m.shown(ctx, in, userID, false)
}
