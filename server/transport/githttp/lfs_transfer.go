package githttp

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	lfsdisk "svc/store/lfs"
)

// lfsDownload serves a large file, or a range of it.
// GET /{path}.git/svc-lfs/objects/{oid}
func (h *Handler) lfsDownload(c lfsCall) (any, error) {
	row, _, err := h.largeProject(c, git.UploadPack, "lfs_download")
	if err != nil {
		return nil, err
	}
	oid := c.args[0]
	if !lfsdisk.IsOID(oid) {
		return nil, &store.NotFoundError{Resource: "LFS Object"}
	}
	file, _, err := h.large.Files.Open(c.Request().Context(), row.Project.ID, oid)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	header := c.Response().Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", "attachment")
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", `"`+oid+`"`)
	w := &deadlineWriter{ResponseWriter: c.Response(), control: http.NewResponseController(c.Response().Writer)}
	http.ServeContent(w, c.Request(), "", time.Time{}, file)
	if w.beyond {
		return nil, &apierr.Error{
			Status: http.StatusRequestedRangeNotSatisfiable,
			Body:   apierr.Body{Message: "The range is outside the object"},
		}
	}
	return nil, nil
}

// lfsUpload receives a large file.
// PUT /{path}.git/svc-lfs/objects/{oid}/{size}
func (h *Handler) lfsUpload(c lfsCall) (any, error) {
	row, _, err := h.largeProject(c, git.ReceivePack, "lfs_upload")
	if err != nil {
		return nil, err
	}
	r := c.Request()
	size, err := strconv.ParseInt(c.args[1], 10, 64)
	if err != nil {
		return nil, apierr.Unprocessable("The size must be a number")
	}
	if r.Header.Get("Content-Encoding") != "" {
		return nil, apierr.UnsupportedMedia(r.Header.Get("Content-Encoding"))
	}
	if r.ContentLength >= 0 && r.ContentLength != size {
		return nil, apierr.Unprocessable("The Content-Length differs from the size of the object")
	}
	from := &deadlineReader{Reader: r.Body, control: http.NewResponseController(c.Response().Writer)}
	err = h.large.Files.Receive(r.Context(), row.Project, c.args[0], size, from)
	if err != nil && from.failed != nil && !errors.Is(from.failed, io.EOF) {
		return nil, apierr.BadRequest("The body is incomplete")
	}
	return struct{}{}, err
}

// deadlineReader reads as long as data keeps coming.
type deadlineReader struct {
	io.Reader
	control *http.ResponseController
	failed  error
}

// Read reads with a deadline.
func (s *deadlineReader) Read(p []byte) (int, error) {
	_ = s.control.SetReadDeadline(time.Now().Add(lfsPause)) // not every connection has deadlines
	n, err := s.Reader.Read(p)
	if err != nil {
		s.failed = err
	}
	return n, err
}

// deadlineWriter writes as long as the client keeps receiving. It suppresses the plain-text response to an invalid range,
// so that the caller can write another one.
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	beyond  bool
}

// WriteHeader begins the response, unless the range is invalid.
func (s *deadlineWriter) WriteHeader(status int) {
	if s.beyond = status == http.StatusRequestedRangeNotSatisfiable; !s.beyond {
		s.ResponseWriter.WriteHeader(status)
	}
}

// Write writes with a deadline.
func (s *deadlineWriter) Write(p []byte) (int, error) {
	if s.beyond {
		return len(p), nil
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(lfsPause)) // not every connection has deadlines
	return s.ResponseWriter.Write(p)
}
