package avatars

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"svc/store/model"
)

// avatarResponse is the response of every operation that sends an avatar, or 304 if the caller already has the avatar.
type avatarResponse struct {
	picture model.Avatar
	match   string // the If-None-Match header of the request
	shared  bool   // whether shared caches may store the response
}

// write writes the response. The content type is the one detected from the bytes, and the headers keep a browser from
// treating the picture as anything else.
func (a avatarResponse) write(w http.ResponseWriter) error {
	h := w.Header()
	tag := `"` + base64.RawURLEncoding.EncodeToString(a.picture.Digest) + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", "max-age=0, private, must-revalidate")
	if a.shared {
		h.Set("Cache-Control", "max-age=3600, public") // another picture has another URL
	}
	if matches(a.match, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", a.picture.ContentType)
	h.Set("Content-Disposition", `inline; filename="`+a.picture.FileName+`"`)
	h.Set("Content-Length", strconv.Itoa(len(a.picture.Data)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(a.picture.Data)
	return err
}

// matches compares entity tags weakly, as RFC 9110 §13.1.2 requires for If-None-Match.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" || candidate == tag {
			return true
		}
	}
	return false
}

// VisitGetGroupAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetGroupAvatarResponse(w http.ResponseWriter) error { return a.write(w) }

// VisitGetUploadsSystemGroupAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemGroupAvatarResponse(w http.ResponseWriter) error {
	return a.write(w)
}

// VisitGetProjectAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetProjectAvatarResponse(w http.ResponseWriter) error { return a.write(w) }

// VisitGetUploadsSystemProjectAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemProjectAvatarResponse(w http.ResponseWriter) error {
	return a.write(w)
}

// VisitGetUploadsSystemUserAvatarResponse sends the avatar.
func (a avatarResponse) VisitGetUploadsSystemUserAvatarResponse(w http.ResponseWriter) error {
	return a.write(w)
}
