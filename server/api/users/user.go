package users

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/store/model"
)

// GetCurrentUser shows the caller.
// GET /user
func (u *Users) GetCurrentUser(ctx context.Context, _ gen.GetCurrentUserRequestObject) (gen.GetCurrentUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadSelf)
	if err != nil {
		return nil, err
	}
	var creator *model.User
	if actor.User.Admin && actor.User.CreatedByID != nil {
		row, err := u.store.Users.Get(ctx, *actor.User.CreatedByID)
		if err != nil {
			return nil, err
		}
		creator = &row
	}
	return gen.GetCurrentUser200JSONResponse(u.show.CurrentUser(actor.User, creator, time.Now())), nil
}
