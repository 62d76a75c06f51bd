package keys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// ListCurrentUserKeys lists the SSH keys of the caller.
// GET /user/keys
func (k *Keys) ListCurrentUserKeys(
	ctx context.Context, req gen.ListCurrentUserKeysRequestObject,
) (gen.ListCurrentUserKeysResponseObject, error) {
	userID, err := callerID(ctx, access.ReadOwnKey)
	if err != nil {
		return nil, err
	}
	w := window[gen.Pagination]{req.Params.Pagination, req.Params.Page, req.Params.PerPage}
	shown, headers, err := listOf(ctx, k, "Key", userID, w, k.store.Keys.ListByUser, present.Key)
	if err != nil {
		return nil, err
	}
	return gen.ListCurrentUserKeys200JSONResponse{
		Body: shown, Headers: gen.ListCurrentUserKeys200ResponseHeaders(headers),
	}, nil
}

// ListUserKeys lists the SSH keys of a user.
// GET /users/{id}/keys
func (k *Keys) ListUserKeys(
	ctx context.Context, req gen.ListUserKeysRequestObject,
) (gen.ListUserKeysResponseObject, error) {
	userID, err := k.userID(ctx, access.ReadUserKey, req.ID)
	if err != nil {
		return nil, err
	}
	w := window[gen.Pagination]{req.Params.Pagination, req.Params.Page, req.Params.PerPage}
	shown, headers, err := listOf(ctx, k, "Key", userID, w, k.store.Keys.ListByUser, present.Key)
	if err != nil {
		return nil, err
	}
	return gen.ListUserKeys200JSONResponse{Body: shown, Headers: gen.ListUserKeys200ResponseHeaders(headers)}, nil
}
