package gitssh

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
	"svc/store/observe"
	"svc/store/storage"

	"golang.org/x/crypto/ssh"
)

const notFound = "The project you were looking for could not be found or you don't have permission to view it."

// finishSpan ends the span of a command, if it is traced.
func finishSpan(ctx context.Context, err error) {
	work := observe.Of(ctx)
	span := work.Span()
	if span == nil {
		return
	}
	span.SetCost(work.Cost())
	if code := status(ctx, err); code >= 500 {
		span.Fail("")
	}
	span.Finish()
}

// run executes one command and returns its exit status. Messages for people go to stderr, which git shows.
func (s *Server) run(ctx context.Context, mark, command, protocol string, channel ssh.Channel) uint32 {
	say := func(text string) { fmt.Fprintf(channel.Stderr(), "svc: %s\r\n", text) }
	ctx, actor, err := s.caller(ctx, mark)
	if err != nil {
		s.refuseKey(ctx, err, say)
		return 1
	}
	if command == "" {
		fmt.Fprintf(channel, "Welcome, @%s! This server has no shell: use git.\r\n", actor.User.Username)
		return 0
	}
	service, path, ok := parse(command)
	name := string(service)
	work := func() error { return s.serve(ctx, actor, service, path, protocol, channel, say) }
	if !ok {
		service, path, ok = parseLFS(command)
		name = lfsCommand
		work = func() error { return s.authenticate(ctx, actor, mark, service, path, channel, say) }
	}
	if !ok {
		say("This server accepts only git-upload-pack and git-receive-pack.")
		return 1
	}
	if !s.access.AllowsGit("ssh") {
		say("Git access over SSH is not allowed.")
		return 1
	}
	if path, err = s.access.AliasPath(ctx, path); err != nil {
		s.logger.Error("git over SSH failed", "path", path, "error", err)
		say(failureText(err))
		return 1
	}
	began := time.Now()
	s.tracer.Begin(observe.Of(ctx), "ssh "+strings.Fields(command)[0], observe.Server, observe.Parent{})
	count := s.counts.of(name).Begin()
	err = work()
	count(status(ctx, err) < 500)
	finishSpan(ctx, err)
	s.logger.Info("ssh", "command", strings.Fields(command)[0], "for", string(service), "path", path, "user", actor.User.Username,
		"ms", time.Since(began).Milliseconds(), "failed", err != nil, "status", status(ctx, err))
	if err == nil {
		return 0
	}
	var refused *apierr.Error
	var wrong *git.RequestError
	var failed *git.CommandError
	switch {
	case errors.As(err, &refused):
		say(refusalText(refused))
	case errors.As(err, &wrong):
		say("The request does not follow git's protocol: " + wrong.Why)
	case errors.Is(err, push.ErrTooSlow):
		say("The transfer is too slow.")
	case isGone(ctx, err):
	case errors.As(err, &failed): // git has already sent the reason to the client
	default:
		s.logger.Error("git over SSH failed", "path", path, "error", err)
		say(failureText(err))
	}
	return 1
}

// refuseKey answers a client whose key is no longer valid, or could not be looked up.
func (s *Server) refuseKey(ctx context.Context, err error, say func(string)) {
	var refused *apierr.Error
	switch {
	case errors.As(err, &refused):
		say("Your key is no longer accepted.")
	case isGone(ctx, err):
		s.logger.Info("ssh", "failed", true, "status", statusClosed)
	default:
		s.logger.Error("git over SSH failed", "error", err)
		say(failureText(err))
	}
}

// failureText returns a message for people about an error of the service.
func failureText(err error) string {
	var gone *storage.Error
	var damaged *storage.DamagedError
	switch {
	case errors.As(err, &gone):
		return "The storage of this repository is currently unavailable."
	case errors.As(err, &damaged):
		return "This repository is missing or damaged. Please tell an administrator."
	case storage.Full(err):
		return "The disk of the server is full."
	}
	return "An internal error occurred."
}

// refusalText returns a message for people about a refusal.
func refusalText(e *apierr.Error) string {
	switch e.Status {
	case 403:
		return "You are not allowed to do this in this project."
	case 404:
		return notFound
	}
	return e.Error()
}

func (s *Server) serve(
	ctx context.Context, actor *reqctx.Actor, service git.Service, path, protocol string, channel ssh.Channel,
	say func(string),
) error {
	row, err := s.project(ctx, path, service, say)
	if err != nil {
		return err
	}
	repo, err := s.push.Repo(row.Project)
	if err != nil {
		return err
	}
	if service == git.UploadPack {
		return repo.Serve(ctx, protocol, channel, channel)
	}
	if err := repo.AdvertiseReceive(channel, false); err != nil {
		return err
	}
	in := s.send(channel)
	defer in.Close()
	return in.markCanceled(s.push.Serve(ctx, row, actor, in, channel))
}

// project finds the project at a path; a former path of the project works as well.
func (s *Server) project(ctx context.Context, path string, service git.Service, say func(string)) (model.ProjectRow, error) {
	find := func(path string) (model.ProjectRow, error) { return s.access.Project(ctx, path, access.ReadCode) }
	if service == git.ReceivePack {
		find = func(path string) (model.ProjectRow, error) { return s.push.FindPushable(ctx, s.access, path) }
	}
	if actor := reqctx.Of(ctx).Actor; actor.Kind == reqctx.DeployKey {
		return s.access.ProjectByDeployKey(ctx, actor, path, service == git.ReceivePack)
	}
	row, err := find(path)
	var e *apierr.Error
	if !errors.As(err, &e) || e.Status == 403 || e.Status == 404 {
		return row, err
	}
	moved, err := s.access.NewPath(ctx, path)
	if err != nil {
		return row, err
	}
	say("The project has moved. Please change your remote: git remote set-url origin …/" + moved + ".git")
	return find(moved)
}

// conn is a connection that ends if it is idle for too long.
type conn struct {
	net.Conn
	known    atomic.Bool
	sessions atomic.Int32
}

// begin replaces the short deadline of the handshake by the idle time.
func (c *conn) begin() {
	c.known.Store(true)
	c.extendDeadline()
}

func (c *conn) extendDeadline() {
	if c.known.Load() {
		_ = c.SetDeadline(time.Now().Add(idleTime)) // a closed connection returns an error at its next use
	}
}

// Read reads, and extends the deadline.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.extendDeadline()
	return n, err
}

// Write writes, and extends the deadline.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.extendDeadline()
	return n, err
}
