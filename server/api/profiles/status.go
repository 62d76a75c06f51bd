package profiles

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
)

// GetCurrentUserStatus shows the caller's status.
// GET /user/status
func (p *Profiles) GetCurrentUserStatus(
	ctx context.Context, _ gen.GetCurrentUserStatusRequestObject,
) (gen.GetCurrentUserStatusResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnStatus)
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, actor.User.ID)
	return gen.GetCurrentUserStatus200JSONResponse(shown), err
}

// GetUserStatus shows the status of a user.
// GET /users/{user_id}/status
func (p *Profiles) GetUserStatus(
	ctx context.Context, req gen.GetUserStatusRequestObject,
) (gen.GetUserStatusResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserStatus); err != nil {
		return nil, err
	}
	u, err := access.FindUser(ctx, p.store, req.UserID)
	if err != nil {
		return nil, err
	}
	shown, err := p.status(ctx, u.ID)
	return gen.GetUserStatus200JSONResponse(shown), err
}

// status presents the status of a user, or an empty one.
func (p *Profiles) status(ctx context.Context, userID int64) (gen.UserStatus, error) {
	row, err := p.store.UserStatuses.Get(ctx, userID, clock.Now(ctx))
	if store.IsNotFound(err) {
		return present.UserStatus(nil), nil
	}
	return present.UserStatus(&row), err
}
