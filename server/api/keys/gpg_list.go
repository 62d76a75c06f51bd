package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// ListCurrentUserGpgKeys lists the GPG keys of the caller.
// GET /user/gpg_keys
func (k *Keys) ListCurrentUserGpgKeys(
	ctx context.Context, req gen.ListCurrentUserGpgKeysRequestObject,
) (gen.ListCurrentUserGpgKeysResponseObject, error) {
	userID, err := callerID(ctx, access.ReadOwnKey)
	if err != nil {
		return nil, err
	}
	w := window[gen.Pagination]{req.Params.Pagination, req.Params.Page, req.Params.PerPage}
	shown, headers, err := listOf(ctx, k, "GpgKey", userID, w, k.store.GPGKeys.ListByUser, present.GPGKey)
	if err != nil {
		return nil, err
	}
	return gen.ListCurrentUserGpgKeys200JSONResponse{
		Body: shown, Headers: gen.ListCurrentUserGpgKeys200ResponseHeaders(headers),
	}, nil
}

// ListUserGpgKeys lists the GPG keys of a user.
// GET /users/{id}/gpg_keys
func (k *Keys) ListUserGpgKeys(
	ctx context.Context, req gen.ListUserGpgKeysRequestObject,
) (gen.ListUserGpgKeysResponseObject, error) {
	userID, err := k.userID(ctx, access.ReadUserKey, req.ID)
	if err != nil {
		return nil, err
	}
	w := window[gen.Pagination]{req.Params.Pagination, req.Params.Page, req.Params.PerPage}
	shown, headers, err := listOf(ctx, k, "GpgKey", userID, w, k.store.GPGKeys.ListByUser, present.GPGKey)
	if err != nil {
		return nil, err
	}
	return gen.ListUserGpgKeys200JSONResponse{Body: shown, Headers: gen.ListUserGpgKeys200ResponseHeaders(headers)}, nil
}
