// Package avatars implements the API operations on the avatars of users, groups and projects.
package avatars

import (
	"context"
	"encoding/base64"
	"net/http"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/respond"
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
// none. The file name of an older avatar is a 404. shared allows shared caches to store the response.
func (a *Avatars) avatarOf(ctx context.Context, kind model.AvatarKind, ownerID int64, file string, shared bool) (avatarResponse, error) {
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

// avatarResponse is the response of every operation that sends an avatar. The content type is the one detected from the
// bytes, and the headers keep a browser from treating the picture as anything else.
type avatarResponse struct{ respond.Stream }

// VisitGetGroupAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetGroupAvatarResponse(w http.ResponseWriter) error { return i.Send(w) }

// VisitGetUploadsSystemGroupAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetUploadsSystemGroupAvatarResponse(w http.ResponseWriter) error {
	return i.Send(w)
}

// VisitGetProjectAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetProjectAvatarResponse(w http.ResponseWriter) error { return i.Send(w) }

// VisitGetUploadsSystemProjectAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetUploadsSystemProjectAvatarResponse(w http.ResponseWriter) error {
	return i.Send(w)
}

// VisitGetUploadsSystemUserAvatarResponse sends the avatar.
func (i avatarResponse) VisitGetUploadsSystemUserAvatarResponse(w http.ResponseWriter) error {
	return i.Send(w)
}
