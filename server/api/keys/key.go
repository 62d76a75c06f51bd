package keys

import (
	"context"
	"errors"
	"time"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
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
	return gen.ListCurrentUserKeys200JSONResponse{Body: shown, Headers: gen.ListCurrentUserKeys200ResponseHeaders(headers)}, nil
}

// CreateCurrentUserKey adds an SSH key to the caller.
// POST /user/keys
func (k *Keys) CreateCurrentUserKey(
	ctx context.Context, req gen.CreateCurrentUserKeyRequestObject,
) (gen.CreateCurrentUserKeyResponseObject, error) {
	userID, err := callerID(ctx, access.CreateOwnKey)
	if err != nil {
		return nil, err
	}
	shown, err := k.addSSH(ctx, userID, *req.Body)
	return gen.CreateCurrentUserKey201JSONResponse(shown), err
}

// GetCurrentUserKey returns an SSH key of the caller.
// GET /user/keys/{key_id}
func (k *Keys) GetCurrentUserKey(ctx context.Context, req gen.GetCurrentUserKeyRequestObject) (gen.GetCurrentUserKeyResponseObject, error) {
	userID, err := callerID(ctx, access.ReadOwnKey)
	if err != nil {
		return nil, err
	}
	row, err := k.store.Keys.GetOfUser(ctx, userID, req.KeyID)
	return gen.GetCurrentUserKey200JSONResponse(present.Key(row)), err
}

// DeleteCurrentUserKey deletes an SSH key of the caller.
// DELETE /user/keys/{key_id}
func (k *Keys) DeleteCurrentUserKey(
	ctx context.Context, req gen.DeleteCurrentUserKeyRequestObject,
) (gen.DeleteCurrentUserKeyResponseObject, error) {
	userID, err := callerID(ctx, access.DeleteOwnKey)
	if err != nil {
		return nil, err
	}
	err = account.RemoveKey(ctx, k.store, userID, req.KeyID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteCurrentUserKey204Response{}, err
}

// ListUserKeys lists the SSH keys of a user.
// GET /users/{id}/keys
func (k *Keys) ListUserKeys(ctx context.Context, req gen.ListUserKeysRequestObject) (gen.ListUserKeysResponseObject, error) {
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

// CreateUserKey adds an SSH key to a user.
// POST /users/{id}/keys
func (k *Keys) CreateUserKey(ctx context.Context, req gen.CreateUserKeyRequestObject) (gen.CreateUserKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := k.addSSH(ctx, userID, *req.Body)
	return gen.CreateUserKey201JSONResponse(shown), err
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

// DeleteUserKey deletes an SSH key of a user.
// DELETE /users/{id}/keys/{key_id}
func (k *Keys) DeleteUserKey(ctx context.Context, req gen.DeleteUserKeyRequestObject) (gen.DeleteUserKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	err = account.RemoveKey(ctx, k.store, userID, req.KeyID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteUserKey204Response{}, err
}

// GetKeys finds an SSH key by its fingerprint.
// GET /keys
func (k *Keys) GetKeys(ctx context.Context, req gen.GetKeysRequestObject) (gen.GetKeysResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminKey); err != nil {
		return nil, err
	}
	sha256, md5 := readFingerprint(req.Params.Fingerprint)
	var row model.Key
	var owner model.User
	var err error
	switch {
	case sha256 != "":
		row, owner, err = k.store.Keys.GetBySHA256(ctx, sha256)
	case md5 != "":
		row, owner, err = k.store.Keys.GetByMD5(ctx, md5)
	default:
		err = apierr.BadParameter("fingerprint is invalid")
	}
	return gen.GetKeys200JSONResponse(k.show.KeyWithUser(row, owner)), err
}

// GetKey returns an SSH key and its owner.
// GET /keys/{id}
func (k *Keys) GetKey(ctx context.Context, req gen.GetKeyRequestObject) (gen.GetKeyResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminKey); err != nil {
		return nil, err
	}
	row, owner, err := k.store.Keys.GetWithUser(ctx, req.ID)
	return gen.GetKey200JSONResponse(k.show.KeyWithUser(row, owner)), err
}

func (k *Keys) addSSH(ctx context.Context, userID int64, body gen.KeyCreate) (gen.Key, error) {
	row, err := newSSH(body, time.Now())
	if err != nil {
		return gen.Key{}, err
	}
	row.UserID = userID
	err = account.AddKey(ctx, k.store, &row)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return gen.Key{}, apierr.Invalid("fingerprint_sha256", "has already been taken")
	}
	return present.Key(row), err
}
