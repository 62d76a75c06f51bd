package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// RevokeCurrentUserGpgKey deletes a GPG key of the caller that nobody should trust any more.
// POST /user/gpg_keys/{key_id}/revoke
func (k *Keys) RevokeCurrentUserGpgKey(
	ctx context.Context, req gen.RevokeCurrentUserGpgKeyRequestObject,
) (gen.RevokeCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.DeleteOwnKey)
	if err != nil {
		return nil, err
	}
	err = k.keys.RevokeGPG(ctx, userID, req.KeyID)
	return gen.RevokeCurrentUserGpgKey202JSONResponse{Message: "202 Accepted"}, err
}

// RevokeUserGpgKey deletes a GPG key of a user that nobody should trust any more.
// POST /users/{id}/gpg_keys/{key_id}/revoke
func (k *Keys) RevokeUserGpgKey(
	ctx context.Context, req gen.RevokeUserGpgKeyRequestObject,
) (gen.RevokeUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	err = k.keys.RevokeGPG(ctx, userID, req.KeyID)
	return gen.RevokeUserGpgKey202JSONResponse{Message: "202 Accepted"}, err
}
