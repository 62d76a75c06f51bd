package users

import (
	"context"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/apierr"
)

// ApproveUser activates a user who is pending approval.
// POST /users/{id}/approve
func (u *Users) ApproveUser(
	ctx context.Context, req gen.ApproveUserRequestObject,
) (gen.ApproveUserResponseObject, error) {
	if _, err := u.findAsAdmin(ctx, req.ID); err != nil {
		return nil, err
	}
	done, err := account.Approve(ctx, u.store, req.ID)
	if err != nil {
		return nil, err
	}
	if !done {
		return nil, apierr.Conflict("The user you are trying to approve is not pending approval")
	}
	return gen.ApproveUser201JSONResponse{Message: "Success"}, nil
}

// RejectUser deletes a user who is pending approval.
// POST /users/{id}/reject
func (u *Users) RejectUser(ctx context.Context, req gen.RejectUserRequestObject) (gen.RejectUserResponseObject, error) {
	row, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := u.accounts.Reject(ctx, row); err != nil {
		return nil, err
	}
	return gen.RejectUser201JSONResponse{Message: "Success"}, nil
}
