package gitssh

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/storage"
)

// statusClosed is logged if the client disconnects, as over HTTP.
const statusClosed = 499

// channelReader reads what a client sends over a channel, and enforces the least speed.
type channelReader struct {
	in    io.Reader
	line  net.Conn
	ended atomic.Bool // the client sends nothing more
}

// send reads a channel through a pipe, because a pipe has read deadlines and a channel does not.
func (s *Server) send(channel io.Reader) *channelReader {
	if s.floor.Rate <= 0 || s.floor.Pause <= 0 {
		return &channelReader{in: channel}
	}
	ours, theirs := net.Pipe()
	go func() {
		_, _ = io.Copy(theirs, channel) // an error ends the pipe like the end of the channel does
		theirs.Close()
	}()
	return &channelReader{in: s.floor.Reader(ours, ours.SetReadDeadline), line: ours}
}

// Read reads, and records the end of the input.
func (s *channelReader) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	if errors.Is(err, io.EOF) {
		s.ended.Store(true)
	}
	return n, err
}

// Close leaves the rest unread.
func (s *channelReader) Close() {
	if s.line != nil {
		s.line.Close()
	}
}

// markCanceled marks the error of a push whose client stopped in the middle.
func (s *channelReader) markCanceled(err error) error {
	if err != nil && s.ended.Load() {
		return errors.Join(err, context.Canceled)
	}
	return err
}

// isGone reports whether a command failed because its client disconnected.
func isGone(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed)
}

// status returns the result of a command as an HTTP status, like the log of HTTP requests.
func status(ctx context.Context, err error) int {
	var refused *apierr.Error
	var wrong *git.RequestError
	var failed *git.CommandError
	var gone *storage.Error
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &refused):
		return refused.Status
	case errors.Is(err, push.ErrTooSlow):
		return http.StatusRequestTimeout
	case isGone(ctx, err):
		return statusClosed
	case errors.As(err, &wrong), errors.As(err, &failed):
		return http.StatusBadRequest
	case errors.As(err, &gone):
		return http.StatusServiceUnavailable
	case storage.Full(err):
		return http.StatusInsufficientStorage
	}
	return http.StatusInternalServerError
}
