package keys

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
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
	return gen.ListCurrentUserGpgKeys200JSONResponse{Body: shown, Headers: gen.ListCurrentUserGpgKeys200ResponseHeaders(headers)}, nil
}

// CreateCurrentUserGpgKey adds a GPG key to the caller.
// POST /user/gpg_keys
func (k *Keys) CreateCurrentUserGpgKey(
	ctx context.Context, req gen.CreateCurrentUserGpgKeyRequestObject,
) (gen.CreateCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.CreateOwnKey)
	if err != nil {
		return nil, err
	}
	shown, err := k.addGPG(ctx, userID, *req.Body)
	return gen.CreateCurrentUserGpgKey201JSONResponse(shown), err
}

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

// DeleteCurrentUserGpgKey deletes a GPG key of the caller.
// DELETE /user/gpg_keys/{key_id}
func (k *Keys) DeleteCurrentUserGpgKey(
	ctx context.Context, req gen.DeleteCurrentUserGpgKeyRequestObject,
) (gen.DeleteCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.DeleteOwnKey)
	if err != nil {
		return nil, err
	}
	err = k.removeGPG(ctx, userID, req.KeyID, "deleted", reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteCurrentUserGpgKey204Response{}, err
}

// RevokeCurrentUserGpgKey deletes a GPG key of the caller that nobody should trust any more.
// POST /user/gpg_keys/{key_id}/revoke
func (k *Keys) RevokeCurrentUserGpgKey(
	ctx context.Context, req gen.RevokeCurrentUserGpgKeyRequestObject,
) (gen.RevokeCurrentUserGpgKeyResponseObject, error) {
	userID, err := callerID(ctx, access.DeleteOwnKey)
	if err != nil {
		return nil, err
	}
	err = k.removeGPG(ctx, userID, req.KeyID, "revoked", nil)
	return gen.RevokeCurrentUserGpgKey202JSONResponse{Message: "202 Accepted"}, err
}

// ListUserGpgKeys lists the GPG keys of a user.
// GET /users/{id}/gpg_keys
func (k *Keys) ListUserGpgKeys(ctx context.Context, req gen.ListUserGpgKeysRequestObject) (gen.ListUserGpgKeysResponseObject, error) {
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

// CreateUserGpgKey adds a GPG key to a user.
// POST /users/{id}/gpg_keys
func (k *Keys) CreateUserGpgKey(ctx context.Context, req gen.CreateUserGpgKeyRequestObject) (gen.CreateUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := k.addGPG(ctx, userID, *req.Body)
	return gen.CreateUserGpgKey201JSONResponse(shown), err
}

// GetUserGpgKey returns a GPG key of a user.
// GET /users/{id}/gpg_keys/{key_id}
func (k *Keys) GetUserGpgKey(ctx context.Context, req gen.GetUserGpgKeyRequestObject) (gen.GetUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.ReadUserKey, req.ID)
	if err != nil {
		return nil, err
	}
	row, err := k.store.GPGKeys.GetOfUser(ctx, userID, req.KeyID)
	return gen.GetUserGpgKey200JSONResponse(present.GPGKey(row)), err
}

// DeleteUserGpgKey deletes a GPG key of a user.
// DELETE /users/{id}/gpg_keys/{key_id}
func (k *Keys) DeleteUserGpgKey(ctx context.Context, req gen.DeleteUserGpgKeyRequestObject) (gen.DeleteUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	err = k.removeGPG(ctx, userID, req.KeyID, "deleted", reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	return gen.DeleteUserGpgKey204Response{}, err
}

// RevokeUserGpgKey deletes a GPG key of a user that nobody should trust any more.
// POST /users/{id}/gpg_keys/{key_id}/revoke
func (k *Keys) RevokeUserGpgKey(ctx context.Context, req gen.RevokeUserGpgKeyRequestObject) (gen.RevokeUserGpgKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	err = k.removeGPG(ctx, userID, req.KeyID, "revoked", nil)
	return gen.RevokeUserGpgKey202JSONResponse{Message: "202 Accepted"}, err
}

func (k *Keys) addGPG(ctx context.Context, userID int64, body gen.GPGKeyCreate) (gen.GPGKey, error) {
	row, subkeys, err := readGPG(body.Key)
	if err != nil {
		return gen.GPGKey{}, err
	}
	row.UserID = userID
	err = events.Audited(ctx, k.store, func(ctx context.Context) (events.Change, error) {
		in, err := events.Account(ctx, k.store, userID)
		if err == nil {
			err = k.store.GPGKeys.Create(ctx, &row, subkeys)
		}
		return gpgChange(in, row, "gpg_key_created", "Added GPG key"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return gen.GPGKey{}, apierr.Invalid("fingerprint", "has already been taken")
	}
	return present.GPGKey(row), err
}

func (k *Keys) removeGPG(ctx context.Context, userID, id int64, how string, unchangedSince *time.Time) error {
	return events.Audited(ctx, k.store, func(ctx context.Context) (events.Change, error) {
		row, err := k.store.GPGKeys.GetOfUser(ctx, userID, id)
		if err != nil {
			return events.Change{}, err
		}
		in, err := events.Account(ctx, k.store, userID)
		if err == nil {
			err = k.store.GPGKeys.DeleteOfUser(ctx, userID, id, unchangedSince)
		}
		return gpgChange(in, row, "gpg_key_"+how, "GPG key "+how), err
	})
}

func gpgChange(in events.Entity, row model.GPGKey, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  in,
		Target:  events.Target{Type: "GpgKey", ID: row.ID, Details: strings.ToUpper(row.Fingerprint)},
		Message: message,
	}
}
