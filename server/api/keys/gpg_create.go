package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// CreateCurrentUserGpgKey adds a GPG key to the caller.
// POST /user/gpg_keys
func (k *Keys) CreateCurrentUserGpgKey(
	ctx context.Context, req gen.CreateCurrentUserGpgKeyRequestObject,
) (gen.CreateCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.CreateOwnKey)
	if err != nil {
		return nil, err
	}
	row, err := k.keys.AddGPG(ctx, userID, req.Body.Key)
	return gen.CreateCurrentUserGpgKey201JSONResponse(present.GPGKey(row)), err
}

// CreateUserGpgKey adds a GPG key to a user.
// POST /users/{id}/gpg_keys
func (k *Keys) CreateUserGpgKey(
	ctx context.Context, req gen.CreateUserGpgKeyRequestObject,
) (gen.CreateUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	row, err := k.keys.AddGPG(ctx, userID, req.Body.Key)
	return gen.CreateUserGpgKey201JSONResponse(present.GPGKey(row)), err
}
