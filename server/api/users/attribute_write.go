package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// UpdateUserCustomAttribute sets a custom attribute of a user.
// PUT /users/{id}/custom_attributes/{key}
func (u *Users) UpdateUserCustomAttribute(
	ctx context.Context, req gen.UpdateUserCustomAttributeRequestObject,
) (gen.UpdateUserCustomAttributeResponseObject, error) {
	user, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	row, err := u.accounts.SetAttribute(ctx, user, req.Key, req.Body.Value)
	if err != nil {
		return nil, err
	}
	return gen.UpdateUserCustomAttribute200JSONResponse(present.CustomAttribute(row)), nil
}

// DeleteUserCustomAttribute removes a custom attribute from a user.
// DELETE /users/{id}/custom_attributes/{key}
func (u *Users) DeleteUserCustomAttribute(
	ctx context.Context, req gen.DeleteUserCustomAttributeRequestObject,
) (gen.DeleteUserCustomAttributeResponseObject, error) {
	user, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	unchangedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := u.accounts.RemoveAttribute(ctx, user, req.Key, unchangedSince); err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteUserCustomAttribute204Response{}, nil
}
