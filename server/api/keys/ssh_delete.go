package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteCurrentUserKey deletes an SSH key of the caller.
// DELETE /user/keys/{key_id}
func (k *Keys) DeleteCurrentUserKey(
	ctx context.Context, req gen.DeleteCurrentUserKeyRequestObject,
) (gen.DeleteCurrentUserKeyResponseObject, error) {
	userID, err := callerID(ctx, access.DeleteOwnKey)
	if err != nil {
		return nil, err
	}
	err = k.keys.RemoveSSH(ctx, userID, req.KeyID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteCurrentUserKey204Response{}, err
}

// DeleteUserKey deletes an SSH key of a user.
// DELETE /users/{id}/keys/{key_id}
func (k *Keys) DeleteUserKey(
	ctx context.Context, req gen.DeleteUserKeyRequestObject,
) (gen.DeleteUserKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	err = k.keys.RemoveSSH(ctx, userID, req.KeyID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteUserKey204Response{}, err
}
