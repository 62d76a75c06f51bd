package keys

import (
	"context"
	"errors"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/key"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

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

// CreateUserKey adds an SSH key to a user.
// POST /users/{id}/keys
func (k *Keys) CreateUserKey(
	ctx context.Context, req gen.CreateUserKeyRequestObject,
) (gen.CreateUserKeyResponseObject, error) {
	userID, err := k.userID(ctx, access.AdminKey, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := k.addSSH(ctx, userID, *req.Body)
	return gen.CreateUserKey201JSONResponse(shown), err
}

// addSSH adds an SSH key to a user and presents it.
func (k *Keys) addSSH(ctx context.Context, userID int64, body gen.KeyCreate) (gen.Key, error) {
	row, err := k.newSSH(body, clock.Now(ctx))
	if err != nil {
		return gen.Key{}, err
	}
	row.UserID = userID
	err = k.keys.AddSSH(ctx, &row)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return gen.Key{}, apierr.Invalid("fingerprint_sha256", "has already been taken")
	}
	return present.Key(row), err
}

// newSSH validates a new SSH key and returns its row. The error has all validation errors.
func (k *Keys) newSSH(body gen.KeyCreate, now time.Time) (model.Key, error) {
	var expires *time.Time
	if end := body.ExpiresAt.Ptr(); end != nil && *end != "" {
		at, err := wire.ParseTime(*end)
		if err != nil {
			return model.Key{}, apierr.BadParameter("expires_at is invalid")
		}
		at = at.UTC()
		expires = &at
	}
	usage := model.KeyAuthAndSigning
	if body.UsageType != nil {
		usage = string(*body.UsageType)
	}
	row, broken := key.NewSSHKey(&k.store.Settings.Current().Values, body.Title, body.Key, usage, expires, now)
	if len(broken) > 0 {
		return row, apierr.InvalidFields(broken)
	}
	return row, nil
}
