package avatars

import (
	"net/http"

	"svc/server/platform/respond"
)

// avatarResponse is the response of every operation that sends an avatar. The content type is the one detected from the
// bytes, and the headers keep a browser from treating the picture as anything else.
type avatarResponse struct{ respond.Stream }

// VisitGetGroupAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetGroupAvatarResponse(w http.ResponseWriter) error { return a.Send(w) }

// VisitGetUploadsSystemGroupAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemGroupAvatarResponse(w http.ResponseWriter) error {
	return a.Send(w)
}

// VisitGetProjectAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetProjectAvatarResponse(w http.ResponseWriter) error { return a.Send(w) }

// VisitGetUploadsSystemProjectAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemProjectAvatarResponse(w http.ResponseWriter) error {
	return a.Send(w)
}

// VisitGetUploadsSystemUserAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemUserAvatarResponse(w http.ResponseWriter) error {
	return a.Send(w)
}

// VisitGetUploadsSystemTopicAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemTopicAvatarResponse(w http.ResponseWriter) error {
	return a.Send(w)
}
