package users

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// GetUser shows a user, with the fields that the caller may see.
// GET /users/{id}
func (u *Users) GetUser(ctx context.Context, req gen.GetUserRequestObject) (gen.GetUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadUser)
	if err != nil {
		return nil, err
	}
	if actor == nil {
		return nil, apierr.Forbidden("Not authorized!")
	}
	if !isAdmin(actor) {
		row, followed, err := u.store.Users.GetShown(ctx, req.ID, actor.User.ID)
		if err != nil {
			return nil, err
		}
		profile := !row.PrivateProfile || row.ID == actor.User.ID
		return gen.GetUser200JSONResponse(wire.UnionOf(u.show.UserPublic(row, profile, followed, clock.Now(ctx)))), nil
	}
	row, beside, err := u.store.Users.GetBeside(ctx, req.ID, actor.User.ID)
	if err != nil {
		return nil, err
	}
	parts, err := u.parts(ctx, []model.User{row}, beside, wire.Value(req.Params.WithCustomAttributes))
	if err != nil {
		return nil, err
	}
	return gen.GetUser200JSONResponse(wire.UnionOf(u.show.UserDetail(row, parts(row), beside.Followed[row.ID], clock.Now(ctx)))), nil
}
