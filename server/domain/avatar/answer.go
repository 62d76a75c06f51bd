package avatar

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"svc/store/model"
)

// Answer is a picture to be written, or 304 for a caller that has it already.
type Answer struct {
	Picture model.Avatar
	Match   string // the caller's If-None-Match
	Shared  bool   // whether caches that serve several callers may keep it
}

// Write writes the picture. Its type is the one that was found in its bytes, and a browser shows it and nothing else.
func (a Answer) Write(w http.ResponseWriter) error {
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

// matches compares weakly, as RFC 9110 §13.1.2 wants for If-None-Match.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" || candidate == tag {
			return true
		}
	}
	return false
}
