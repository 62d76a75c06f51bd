package githttp

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/store/git"

	"github.com/labstack/echo/v4"
)

const (
	// maxFetch is the largest size of the request of a fetch, uncompressed: some hundred thousand objects that the
	// client wants or has.
	maxFetch = 32 << 20
	// An uncompressed body larger than ratioBegin may be at most maxRatio times larger than the bytes sent: ids and
	// objects do not compress well.
	maxRatio   = 50
	ratioBegin = 4 << 20
)

// WithMinRate disconnects clients that send too slowly.
func (h *Handler) WithMinRate(f push.MinSpeed) *Handler {
	h.floor = f
	return h
}

// body returns the uncompressed body of the request. It limits the duration and the size.
func (h *Handler) body(c echo.Context, service git.Service) (io.Reader, error) {
	control := http.NewResponseController(c.Response().Writer)
	last := time.Now().Add(maxTransfer)
	sent := &networkReader{in: h.floor.Reader(c.Request().Body, func(at time.Time) error {
		if at.After(last) {
			at = last
		}
		return control.SetReadDeadline(at)
	})}
	most := int64(0)
	if service == git.UploadPack {
		most = maxFetch
	}
	if c.Request().Header.Get("Content-Encoding") != "gzip" {
		return &limitedReader{in: sent, sent: sent, most: most}, nil
	}
	unpacked, err := gzip.NewReader(sent)
	if err != nil {
		return nil, sent.orWrong(err)
	}
	return &limitedReader{in: unpacked, sent: sent, most: most, ratio: maxRatio}, nil
}

// networkReader reads the bytes from the network. It distinguishes a client that disconnected from a wrong request.
type networkReader struct {
	in    io.Reader
	bytes int64
	err   error
}

// Read reads and counts.
func (s *networkReader) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	s.bytes += int64(n)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, push.ErrTooSlow) || errors.Is(err, os.ErrDeadlineExceeded):
		s.err = push.ErrTooSlow
	default:
		s.err = fmt.Errorf("the client disconnected: %w", context.Canceled)
	}
	return n, s.err
}

// orWrong returns why the body could not be uncompressed.
func (s *networkReader) orWrong(err error) error {
	if s.err != nil {
		return s.err
	}
	return &git.RequestError{Why: "The request body is not gzip"}
}

// limitedReader stops a body that is too large, or that grows too much when it is uncompressed.
type limitedReader struct {
	in    io.Reader
	sent  *networkReader
	bytes int64
	most  int64 // 0 for no limit
	ratio int64 // 0 for no limit
}

// Read reads and counts.
func (b *limitedReader) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.bytes += int64(n)
	switch {
	case b.most > 0 && b.bytes > b.most:
		return 0, &git.RequestError{Why: fmt.Sprintf("a request for objects must not have more than %d bytes", b.most)}
	case b.ratio > 0 && b.bytes > ratioBegin && b.bytes > b.ratio*b.sent.bytes:
		return 0, &git.RequestError{Why: "The compression ratio of the request body is too high"}
	case damaged(err):
		return n, b.sent.orWrong(err)
	}
	return n, err
}

// damaged reports whether an error says that the compressed bytes are wrong.
func damaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt)
}

// finishTransfer answers a transfer that has failed: with 4xx if the client caused it.
func finishTransfer(c echo.Context, err error) error {
	var wrong *git.RequestError
	var failed *git.CommandError
	status := http.StatusBadRequest
	if err != nil && !c.Response().Committed {
		c.Response().Header().Set("Connection", "close") // the rest of the body may still come, and must not be read as the next request
	}
	if errors.Is(err, push.ErrTooSlow) {
		wrong, status = &git.RequestError{Why: push.ErrTooSlow.Error()}, http.StatusRequestTimeout
	}
	switch {
	case err == nil:
		return nil
	case c.Request().Context().Err() != nil && status != http.StatusRequestTimeout:
		return fmt.Errorf("%w: %w", context.Canceled, err)
	case (wrong != nil || errors.As(err, &wrong)) && !c.Response().Committed:
		if status == http.StatusBadRequest {
			apierr.SetCode(c.Response().Header(), apierr.BodyMalformed)
		}
		return plain(c, status, wrong.Why)
	case c.Response().Committed && (wrong != nil || errors.As(err, &failed)):
		return nil // git has already sent the reason to the client
	}
	return err
}
