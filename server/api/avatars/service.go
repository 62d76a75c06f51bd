// Package avatars implements the API operations on the avatars of users, groups and projects.
package avatars

import (
	"context"
	"net/http"

	"svc/server/domain/avatar"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Avatars implements the operations on avatars.
type Avatars struct {
	store  *store.Store
	access *access.Access
	show   present.Presenter
}

// New returns the avatar operations.
func New(st *store.Store, a *access.Access, show present.Presenter) *Avatars {
	return &Avatars{store: st, access: a, show: show}
}

// avatarOf returns the response with the avatar of an owner. file is the file name in the link, or empty if the URL has
// none. The file name of an older avatar is a 404.
func (a *Avatars) avatarOf(ctx context.Context, kind model.AvatarKind, ownerID int64, file string, shared bool) (avatarResponse, error) {
	row, err := a.store.Avatars.Get(ctx, kind, ownerID)
	if err == nil && file != "" && file != row.FileName {
		err = apierr.NotFound("Avatar")
	}
	match := ""
	if h := reqctx.Of(ctx).Header; h != nil {
		match = h.Get("If-None-Match")
	}
	return avatarResponse{avatar.Response{Picture: row, Match: match, Shared: shared}}, err
}

// avatarResponse is the response of every operation that sends an avatar.
type avatarResponse struct{ avatar.Response }

// VisitGetGroupAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetGroupAvatarResponse(w http.ResponseWriter) error { return i.Write(w) }

// VisitGetUploadsSystemGroupAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetUploadsSystemGroupAvatarResponse(w http.ResponseWriter) error {
	return i.Write(w)
}

// VisitGetProjectAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetProjectAvatarResponse(w http.ResponseWriter) error { return i.Write(w) }

// VisitGetUploadsSystemProjectAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetUploadsSystemProjectAvatarResponse(w http.ResponseWriter) error {
	return i.Write(w)
}

// VisitGetUploadsSystemUserAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetUploadsSystemUserAvatarResponse(w http.ResponseWriter) error {
	return i.Write(w)
}
