package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

// DeleteUserIdentity removes a user's identity at a provider.
// DELETE /users/{id}/identities/{provider}
func (u *Users) DeleteUserIdentity(
	ctx context.Context, req gen.DeleteUserIdentityRequestObject,
) (gen.DeleteUserIdentityResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return nil, err
	}
	row, err := access.UserByID(ctx, u.store, req.ID)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, u.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfUser(row, "user_identity_deleted", "Removed identity")
		c.Remove = req.Provider
		return c, u.store.Identities.Delete(ctx, req.ID, req.Provider, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteUserIdentity204Response{}, nil
}

// checkSamlGroup returns an error if the group that signs the user in does not exist.
func (u *Users) checkSamlGroup(ctx context.Context, f fields) error {
	if f.samlGroup == nil || !u.show.Paid {
		return nil
	}
	_, _, err := u.store.Namespaces.GetGroup(ctx, *f.samlGroup, "", access.Reader(ctx))
	return err
}
