package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetCurrentUserKey returns an SSH key of the caller.
// GET /user/keys/{key_id}
func (k *Keys) GetCurrentUserKey(
	ctx context.Context, req gen.GetCurrentUserKeyRequestObject,
) (gen.GetCurrentUserKeyResponseObject, error) {
	userID, err := callerID(ctx, access.ReadOwnKey)
	if err != nil {
		return nil, err
	}
	row, err := k.store.Keys.GetOfUser(ctx, userID, req.KeyID)
	return gen.GetCurrentUserKey200JSONResponse(present.Key(row)), err
}

// GetUserKey returns an SSH key of a user.
// GET /users/{id}/keys/{key_id}
func (k *Keys) GetUserKey(ctx context.Context, req gen.GetUserKeyRequestObject) (gen.GetUserKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.ReadUserKey, req.ID)
	if err != nil {
		return nil, err
	}
	row, err := k.store.Keys.GetOfUser(ctx, userID, req.KeyID)
	return gen.GetUserKey200JSONResponse(present.Key(row)), err
}
