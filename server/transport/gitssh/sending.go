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

// statusClosed is logged for a client that breaks off, as over HTTP.
const statusClosed = 499

// sending is what a client sends over a channel, at least as fast as the floor demands.
type sending struct {
	in    io.Reader
	line  net.Conn
	ended atomic.Bool // the client sends nothing more
}

// send reads a channel through a line that can be broken off in time, which a channel cannot.
func (s *Server) send(channel io.Reader) *sending {
	if s.floor.Rate <= 0 || s.floor.Pause <= 0 {
		return &sending{in: channel}
	}
	ours, theirs := net.Pipe()
	go func() {
		_, _ = io.Copy(theirs, channel) // both ends of a channel look alike
		theirs.Close()
	}()
	return &sending{in: s.floor.Reader(ours, ours.SetReadDeadline), line: ours}
}

// Read reads.
func (s *sending) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	if errors.Is(err, io.EOF) {
		s.ended.Store(true)
	}
	return n, err
}

// Close leaves the rest unread.
func (s *sending) Close() {
	if s.line != nil {
		s.line.Close()
	}
}

// brokenOff marks the failure of a push whose client has stopped in the middle.
func (s *sending) brokenOff(err error) error {
	if err != nil && s.ended.Load() {
		return errors.Join(err, context.Canceled)
	}
	return err
}

// isGone is true for the failure of a command whose client is not there any more.
func isGone(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed)
}

// status is how a command ended, in the numbers that the log has for requests over HTTP.
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
