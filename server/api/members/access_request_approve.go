package members

import (
	"context"

	"svc/gen"
	"svc/store/model"
)

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
