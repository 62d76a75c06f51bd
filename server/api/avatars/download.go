package avatars

import (
	"context"
	"encoding/base64"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/model"
)

// GetGroupAvatar downloads the avatar of a group.
// GET /groups/{id}/avatar
func (a *Avatars) GetGroupAvatar(
	ctx context.Context, req gen.GetGroupAvatarRequestObject,
) (gen.GetGroupAvatarResponseObject, error) {
	group, _, err := a.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarGroup, group.ID, "", false)
}

// GetProjectAvatar downloads the avatar of a project.
// GET /projects/{id}/avatar
func (a *Avatars) GetProjectAvatar(
	ctx context.Context, req gen.GetProjectAvatarRequestObject,
) (gen.GetProjectAvatarResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarProject, row.Project.ID, "", false)
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

// avatarOf returns the response with the avatar of an owner. file is the file name in the link, or empty if the URL has
// none. The file name of an older avatar is a 404. shared allows shared caches to store the response.
func (a *Avatars) avatarOf(
	ctx context.Context, kind model.AvatarKind, ownerID int64, file string, shared bool,
) (avatarResponse, error) {
	row, err := a.store.Avatars.Get(ctx, kind, ownerID)
	if err == nil && file != "" && file != row.FileName {
		err = apierr.NotFound("Avatar")
	}
	cached := respond.Revalidate
	if shared {
		cached = respond.Public // another picture has another URL
	}
	return avatarResponse{respond.Stream{
		Context: ctx, Type: row.ContentType, Disposition: `inline; filename="` + row.FileName + `"`, CacheControl: cached,
		ETag: `"` + base64.RawURLEncoding.EncodeToString(row.Digest) + `"`, Size: int64(len(row.Data)), Sandboxed: true,
		Write: respond.Bytes(row.Data),
	}}, err
}

// GetUploadsSystemTopicAvatar sends the avatar of a topic to everybody.
// GET /uploads/-/system/topic/avatar/{id}/{filename}
func (a *Avatars) GetUploadsSystemTopicAvatar(
	ctx context.Context, req gen.GetUploadsSystemTopicAvatarRequestObject,
) (gen.GetUploadsSystemTopicAvatarResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTopic); err != nil {
		return nil, err
	}
	return a.avatarOf(ctx, model.AvatarTopic, req.ID, req.Filename, true)
}
