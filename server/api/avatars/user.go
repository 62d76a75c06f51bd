package avatars

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// GetAvatar returns the avatar URL of the user with that public email address.
// GET /avatar
func (a *Avatars) GetAvatar(ctx context.Context, req gen.GetAvatarRequestObject) (gen.GetAvatarResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUser); err != nil {
		return nil, err
	}
	u, err := a.store.Users.GetByPublicEmail(ctx, req.Params.Email)
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	return gen.GetAvatar200JSONResponse{AvatarURL: a.show.UserAvatar(u)}, nil
}

// UpdateCurrentUserAvatar replaces or removes the avatar of the caller.
// PUT /user/avatar
func (a *Avatars) UpdateCurrentUserAvatar(
	ctx context.Context, req gen.UpdateCurrentUserAvatarRequestObject,
) (gen.UpdateCurrentUserAvatarResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnAvatar)
	if err != nil {
		return nil, err
	}
	picture, err := avatar.Read(wire.Maybe(req.Body.Avatar))
	if err != nil {
		return nil, err
	}
	if err := a.store.Avatars.Put(ctx, model.AvatarUser, actor.User.ID, picture); err != nil {
		return nil, err
	}
	me, err := a.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateCurrentUserAvatar200JSONResponse{AvatarURL: a.show.UserAvatar(me)}, nil
}
