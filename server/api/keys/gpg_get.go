package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetCurrentUserGpgKey returns a GPG key of the caller.
// GET /user/gpg_keys/{key_id}
func (k *Keys) GetCurrentUserGpgKey(
	ctx context.Context, req gen.GetCurrentUserGpgKeyRequestObject,
) (gen.GetCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.ReadOwnKey)
	if err != nil {
		return nil, err
	}
	row, err := k.store.GPGKeys.GetOfUser(ctx, userID, req.KeyID)
	return gen.GetCurrentUserGpgKey200JSONResponse(present.GPGKey(row)), err
}

// GetUserGpgKey returns a GPG key of a user.
// GET /users/{id}/gpg_keys/{key_id}
func (k *Keys) GetUserGpgKey(
	ctx context.Context, req gen.GetUserGpgKeyRequestObject,
) (gen.GetUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.ReadUserKey, req.ID)
	if err != nil {
		return nil, err
	}
	row, err := k.store.GPGKeys.GetOfUser(ctx, userID, req.KeyID)
	return gen.GetUserGpgKey200JSONResponse(present.GPGKey(row)), err
}
