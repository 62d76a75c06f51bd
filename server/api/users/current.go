package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/clock"
	"svc/store/model"
)

// GetCurrentUser shows the caller.
// GET /user
func (u *Users) GetCurrentUser(
	ctx context.Context, _ gen.GetCurrentUserRequestObject,
) (gen.GetCurrentUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadSelf)
	if err != nil {
		return nil, err
	}
	me, identities, err := u.store.Users.GetWithIdentities(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	var creator *model.User
	if me.Admin && me.CreatedByID != nil {
		row, err := u.store.Users.Get(ctx, *me.CreatedByID)
		if err != nil {
			return nil, err
		}
		creator = &row
	}
	return gen.GetCurrentUser200JSONResponse(u.show.CurrentUser(me, creator, clock.Now(ctx), identities...)), nil
}
