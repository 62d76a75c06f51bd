package avatars

import (
	"context"
	"strconv"

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

// GetGroupAvatar downloads the avatar of a group.
// GET /groups/{id}/avatar
func (a *Avatars) GetGroupAvatar(ctx context.Context, req gen.GetGroupAvatarRequestObject) (gen.GetGroupAvatarResponseObject, error) {
	group, _, err := a.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarGroup, group.ID, "", false)
}

// GetUploadsSystemGroupAvatar sends the avatar of a group to users who can see the group.
// GET /uploads/-/system/group/avatar/{id}/{filename}
func (a *Avatars) GetUploadsSystemGroupAvatar(
	ctx context.Context, req gen.GetUploadsSystemGroupAvatarRequestObject,
) (gen.GetUploadsSystemGroupAvatarResponseObject, error) {
	group, _, err := a.access.Group(ctx, strconv.FormatInt(req.ID, 10), access.ReadGroup)
	if err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarGroup, group.ID, req.Filename, false)
}

// GetProjectAvatar downloads the avatar of a project.
// GET /projects/{id}/avatar
func (a *Avatars) GetProjectAvatar(ctx context.Context, req gen.GetProjectAvatarRequestObject) (gen.GetProjectAvatarResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarProject, row.Project.ID, "", false)
}

// GetUploadsSystemProjectAvatar sends the avatar of a project to users who can see the project.
// GET /uploads/-/system/project/avatar/{id}/{filename}
func (a *Avatars) GetUploadsSystemProjectAvatar(
	ctx context.Context, req gen.GetUploadsSystemProjectAvatarRequestObject,
) (gen.GetUploadsSystemProjectAvatarResponseObject, error) {
	row, err := a.access.Project(ctx, strconv.FormatInt(req.ID, 10), access.ReadProject)
	if err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarProject, row.Project.ID, req.Filename, false)
}

// GetUploadsSystemUserAvatar sends the avatar of a user to everybody, because everybody can see the link to the avatar
// too.
// GET /uploads/-/system/user/avatar/{id}/{filename}
func (a *Avatars) GetUploadsSystemUserAvatar(
	ctx context.Context, req gen.GetUploadsSystemUserAvatarRequestObject,
) (gen.GetUploadsSystemUserAvatarResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUser); err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarUser, req.ID, req.Filename, true)
}
