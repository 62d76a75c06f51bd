// Package avatars is the pictures of users, groups and projects.
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

// Avatars are the operations on pictures.
type Avatars struct {
	store  *store.Store
	access *access.Access
	show   present.Presenter
}

// New takes how owners of pictures are judged and shown.
func New(st *store.Store, a *access.Access, show present.Presenter) *Avatars {
	return &Avatars{store: st, access: a, show: show}
}

// picture is the answer with an owner's picture. file is the name that a link has, empty where there is none: an old link
// leads nowhere.
func (a *Avatars) picture(ctx context.Context, kind model.AvatarKind, ownerID int64, file string, shared bool) (image, error) {
	row, err := a.store.Avatars.Get(ctx, kind, ownerID)
	if err == nil && file != "" && file != row.FileName {
		err = apierr.NotFound("Avatar")
	}
	match := ""
	if h := reqctx.Of(ctx).Header; h != nil {
		match = h.Get("If-None-Match")
	}
	return image{avatar.Answer{Picture: row, Match: match, Shared: shared}}, err
}

// image answers every operation that reads a picture.
type image struct{ avatar.Answer }

// VisitGetGroupAvatarResponse writes the picture.
func (i image) VisitGetGroupAvatarResponse(w http.ResponseWriter) error { return i.Write(w) }

// VisitGetUploadsSystemGroupAvatarResponse writes the picture.
func (i image) VisitGetUploadsSystemGroupAvatarResponse(w http.ResponseWriter) error {
	return i.Write(w)
}

// VisitGetProjectAvatarResponse writes the picture.
func (i image) VisitGetProjectAvatarResponse(w http.ResponseWriter) error { return i.Write(w) }

// VisitGetUploadsSystemProjectAvatarResponse writes the picture.
func (i image) VisitGetUploadsSystemProjectAvatarResponse(w http.ResponseWriter) error {
	return i.Write(w)
}

// VisitGetUploadsSystemUserAvatarResponse writes the picture.
func (i image) VisitGetUploadsSystemUserAvatarResponse(w http.ResponseWriter) error {
	return i.Write(w)
}
