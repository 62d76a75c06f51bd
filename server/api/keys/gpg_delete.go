package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteCurrentUserGpgKey deletes a GPG key of the caller.
// DELETE /user/gpg_keys/{key_id}
func (k *Keys) DeleteCurrentUserGpgKey(
	ctx context.Context, req gen.DeleteCurrentUserGpgKeyRequestObject,
) (gen.DeleteCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.DeleteOwnKey)
	if err != nil {
		return nil, err
	}
	err = k.keys.RemoveGPG(ctx, userID, req.KeyID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteCurrentUserGpgKey204Response{}, err
}

// DeleteUserGpgKey deletes a GPG key of a user.
// DELETE /users/{id}/gpg_keys/{key_id}
func (k *Keys) DeleteUserGpgKey(
	ctx context.Context, req gen.DeleteUserGpgKeyRequestObject,
) (gen.DeleteUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	err = k.keys.RemoveGPG(ctx, userID, req.KeyID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteUserGpgKey204Response{}, err
}
