package users

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteUser blocks a user and queues the job that deletes the account.
// DELETE /users/{id}
func (u *Users) DeleteUser(ctx context.Context, req gen.DeleteUserRequestObject) (gen.DeleteUserResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return nil, err
	}
	unchangedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := u.accounts.Delete(ctx, req.ID, wire.Value(req.Params.HardDelete), unchangedSince); err != nil {
		return nil, err
	}
	return gen.DeleteUser204Response{}, nil
}

// DeleteUserIdentity removes a user's identity at a provider.
// DELETE /users/{id}/identities/{provider}
func (u *Users) DeleteUserIdentity(
	ctx context.Context, req gen.DeleteUserIdentityRequestObject,
) (gen.DeleteUserIdentityResponseObject, error) {
	row, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	unchangedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := u.accounts.RemoveIdentity(ctx, row, req.Provider, unchangedSince); err != nil {
		return nil, err
	}
	return gen.DeleteUserIdentity204Response{}, nil
}
