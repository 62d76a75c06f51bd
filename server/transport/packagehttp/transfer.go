package packagehttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"svc/server/domain/packages"
	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/model"
)

// maxTransfer is how long one upload may take.
const maxTransfer = 12 * time.Hour

// body returns the body of an upload. A client that sends too slowly is disconnected.
func (h *Handler) body(c *call) *uploadReader {
	control := http.NewResponseController(c.Response().Writer)
	last := time.Now().Add(maxTransfer)
	return &uploadReader{in: h.MinSpeed.Reader(c.Request().Body, func(at time.Time) error {
		if at.After(last) {
			at = last
		}
		return control.SetReadDeadline(at)
	})}
}

// uploadReader reads the body of an upload, and remembers why it failed.
type uploadReader struct {
	in     io.Reader
	failed error
}

// Read reads from the network.
func (u *uploadReader) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		u.failed = err
	}
	return n, err
}

// orIncomplete returns the response for an upload that failed: 408 or 400 if the client caused it.
func (u *uploadReader) orIncomplete(err error) error {
	switch {
	case err == nil || u.failed == nil:
		return err
	case errors.Is(u.failed, push.ErrTooSlow):
		return apierr.Timeout()
	case errors.Is(u.failed, context.Canceled):
		return u.failed
	}
	return apierr.BadRequest("The body is incomplete")
}

// receive stores the body of an upload.
func (h *Handler) receive(c *call, kind string, want packages.Checksums) (model.PackageFile, error) {
	r := c.Request()
	switch {
	case r.Header.Get("Content-Encoding") != "":
		return model.PackageFile{}, apierr.UnsupportedMedia(r.Header.Get("Content-Encoding"))
	case r.ContentLength == 0:
		return model.PackageFile{}, apierr.BadParameter("file is missing")
	case r.ContentLength > h.Packages.MaxSize(kind):
		return model.PackageFile{}, packages.ErrTooLarge()
	}
	from := h.body(c)
	file, err := h.Packages.Receive(c.ctx(), kind, from, want)
	if err == nil && file.Size == 0 {
		err = errors.Join(apierr.BadParameter("file is missing"), h.Packages.Discard(c.ctx(), file))
	}
	return file, from.orIncomplete(err)
}

// send sends a file of a package, and stores that the package was downloaded. The name contains no quotes.
func (h *Handler) send(c *call, found packages.Published, contentType, name string) error {
	if c.Request().Method == http.MethodGet {
		if err := h.Packages.RecordDownload(c.ctx(), found.Package); err != nil {
			return err
		}
	}
	c.Response().Header().Set("X-Checksum-Sha256", found.File.FileSHA256)
	return respond.Stream{
		Context: c.ctx(), Type: contentType, Disposition: `attachment; filename="` + name + `"`,
		CacheControl: respond.NoCache, ETag: `"` + found.File.FileSHA256 + `"`, Size: found.File.Size, Sandboxed: true,
		Open: func(offset, length int64) (io.ReadCloser, error) {
			return h.Packages.Open(c.ctx(), found.File, offset, length)
		},
	}.Send(c.Response())
}

// octets is the type of files that are only stored.
const octets = "application/octet-stream"
