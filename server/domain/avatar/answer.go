package avatar

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"svc/store/model"
)

// Response is the response with a picture, or 304 if the caller already has the picture.
type Response struct {
	Picture model.Avatar
	Match   string // the If-None-Match header of the request
	Shared  bool   // whether shared caches may store the response
}

// Write writes the response. The content type is the one detected from the bytes, and the headers keep a browser from
// treating the picture as anything else.
func (a Response) Write(w http.ResponseWriter) error {
	h := w.Header()
	tag := `"` + base64.RawURLEncoding.EncodeToString(a.Picture.Digest) + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", "max-age=0, private, must-revalidate")
	if a.Shared {
		h.Set("Cache-Control", "max-age=3600, public") // another picture has another URL
	}
	if matches(a.Match, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", a.Picture.ContentType)
	h.Set("Content-Disposition", `inline; filename="`+a.Picture.FileName+`"`)
	h.Set("Content-Length", strconv.Itoa(len(a.Picture.Data)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(a.Picture.Data)
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
