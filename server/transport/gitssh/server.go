// Package gitssh serves git over SSH: clone, fetch and push with keys of users and with deploy keys, and nothing else.
//
//	server.go   connections and sessions
//	run.go      one command, from the caller to git
//	command.go  the syntax of git's commands
//	sending.go  what a client sends, and how a command ended
//	large.go    credentials for Git LFS
//	hostkey.go  the host keys
//	sharedkeys.go  the host keys in the database, which several processes share
package gitssh

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"svc/server/domain/repository/lfs"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/observe"

	"golang.org/x/crypto/ssh"
)

const (
	maxConnections = 512
	maxPerAddress  = 32
	maxSessions    = 8 // of one connection at once
	handshakeTime  = 20 * time.Second
	idleTime       = 10 * time.Minute // without a byte in either direction
	maxTransfer    = time.Hour
	fingerprint    = "fingerprint"
)

// Server serves git over SSH.
type Server struct {
	auth   *access.Authenticator
	access *access.Access
	push   *push.Pusher
	logger *slog.Logger
	config *ssh.ServerConfig
	keys   []ssh.Signer

	floor   push.MinSpeed
	tickets lfs.Tickets
	base    string // URL of the service
	clock   *clock.Clock
	tracer  *observe.Tracer
	counts  *Served // nil if nobody reads them

	mu       sync.Mutex
	listener net.Listener
	open     map[*conn]string // the address of each open connection
	closing  bool
	work     sync.WaitGroup
}

// New returns a server. folder contains the host keys; shared is nil if no other process needs the same ones.
func New(
	auth *access.Authenticator, a *access.Access, p *push.Pusher, folder string, shared *SharedKeys, logger *slog.Logger,
) (*Server, error) {
	if err := shared.share(context.Background(), folder); err != nil {
		return nil, err
	}
	keys, err := hostKeys(folder)
	if err != nil {
		return nil, err
	}
	s := &Server{auth: auth, access: a, push: p, logger: logger, keys: keys, open: map[*conn]string{}}
	s.config = &ssh.ServerConfig{
		MaxAuthTries:      20, // people have many keys
		ServerVersion:     "SSH-2.0-svc",
		PublicKeyCallback: s.acceptKey,
	}
	for _, key := range keys {
		s.config.AddHostKey(key)
	}
	return s, nil
}

// WithMinRate ends pushes of clients that send more slowly. A client creates its pack while the connection is open, so it
// needs a longer pause than over HTTP.
func (s *Server) WithMinRate(f push.MinSpeed) { s.floor = f }

// WithClock sets the clock of the service.
func (s *Server) WithClock(c *clock.Clock) { s.clock = c }

// WithTracer traces the commands of clients.
func (s *Server) WithTracer(t *observe.Tracer) { s.tracer = t }

// Served counts the commands of clients.
type Served struct{ fetches, pushes, lfs observe.Served }

// Commands returns the counts by command.
func (c *Served) Commands() map[string]*observe.Served {
	return map[string]*observe.Served{string(git.UploadPack): &c.fetches, string(git.ReceivePack): &c.pushes, lfsCommand: &c.lfs}
}

// of returns the counts of a command.
func (c *Served) of(command string) *observe.Served {
	if c == nil {
		return nil
	}
	return c.Commands()[command]
}

// WithCounts counts the commands of clients.
func (s *Server) WithCounts(c *Served) { s.counts = c }

// Fingerprints returns the fingerprints of the host keys, for people to compare.
func (s *Server) Fingerprints() []string {
	var all []string
	for _, key := range s.keys {
		all = append(all, key.PublicKey().Type()+" "+ssh.FingerprintSHA256(key.PublicKey()))
	}
	return all
}

// acceptKey accepts a key if it belongs to a user or is a deploy key. The SSH username does not matter.
func (s *Server) acceptKey(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	ctx, cancel := context.WithTimeout(clock.With(context.Background(), s.clock), handshakeTime)
	defer cancel()
	mark := strings.TrimPrefix(ssh.FingerprintSHA256(key), "SHA256:")
	if _, err := s.auth.AnySSHKey(ctx, mark); err != nil {
		return nil, err
	}
	return &ssh.Permissions{Extensions: map[string]string{fingerprint: mark}}, nil
}

// Serve accepts connections until Shutdown.
func (s *Server) Serve(listener net.Listener) error {
	s.mu.Lock()
	s.listener = listener
	closing := s.closing
	s.mu.Unlock()
	if closing {
		return listener.Close()
	}
	pause := 5 * time.Millisecond
	for {
		raw, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil { // too many open files, most likely
			s.logger.Error("cannot accept an SSH connection", "error", err)
			time.Sleep(pause)
			pause = min(2*pause, time.Second)
			continue
		}
		pause = 5 * time.Millisecond
		c := &conn{Conn: raw}
		if !s.admit(c) {
			raw.Close()
			continue
		}
		go func() {
			defer s.leave(c)
			s.handle(c)
		}()
	}
}

// admit registers a connection, unless there are too many.
func (s *Server) admit(c *conn) bool {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		host = c.RemoteAddr().String()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	same := 0
	for _, other := range s.open {
		if other == host {
			same++
		}
	}
	if s.closing || len(s.open) >= maxConnections || same >= maxPerAddress {
		return false
	}
	s.open[c] = host
	s.work.Add(1)
	return true
}

func (s *Server) leave(c *conn) {
	c.Close()
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
	s.work.Done()
}

// Shutdown accepts no more connections, lets running transfers finish, and ends the rest when the context ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	if s.listener != nil {
		s.listener.Close()
	}
	for c := range s.open {
		if c.sessions.Load() == 0 {
			c.Close()
		}
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	<-done
	return ctx.Err()
}

// handle serves a connection. Until the client is authenticated, the deadline is short.
func (s *Server) handle(c *conn) {
	if err := c.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return
	}
	server, channels, requests, err := ssh.NewServerConn(c, s.config)
	if err != nil {
		s.logger.Debug("an SSH handshake failed", "address", c.RemoteAddr().String(), "error", err)
		return
	}
	c.begin()
	ctx, cancel := context.WithCancel(clock.With(context.Background(), s.clock))
	defer cancel()
	go ssh.DiscardRequests(requests) // no forwarding
	var work sync.WaitGroup
	for offered := range channels {
		if offered.ChannelType() != "session" {
			_ = offered.Reject(ssh.Prohibited, "this server accepts only git")
			continue
		}
		if c.sessions.Add(1) > maxSessions {
			c.sessions.Add(-1)
			_ = offered.Reject(ssh.ResourceShortage, "too many sessions")
			continue
		}
		channel, asked, err := offered.Accept()
		if err != nil {
			c.sessions.Add(-1)
			continue
		}
		work.Go(func() {
			s.session(ctx, server.Permissions.Extensions[fingerprint], channel, asked)
			if c.sessions.Add(-1) == 0 && s.isClosing() {
				c.Close()
			}
		})
	}
	cancel() // if the client disconnects, git must not keep waiting
	work.Wait()
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// session waits for the command and executes it. It refuses terminals, subsystems and environment variables other than
// git's own.
func (s *Server) session(ctx context.Context, mark string, channel ssh.Channel, asked <-chan *ssh.Request) {
	defer channel.Close()
	ctx, cancel := context.WithTimeout(ctx, maxTransfer)
	defer cancel()
	protocol := ""
	for r := range asked {
		switch r.Type {
		case "env":
			var v struct{ Name, Value string }
			good := ssh.Unmarshal(r.Payload, &v) == nil && v.Name == "GIT_PROTOCOL"
			if good {
				protocol = v.Value
			}
			_ = r.Reply(good, nil)
		case "exec", "shell":
			var v struct{ Command string }
			if r.Type == "exec" && ssh.Unmarshal(r.Payload, &v) != nil {
				_ = r.Reply(false, nil)
				return
			}
			_ = r.Reply(true, nil)
			go ssh.DiscardRequests(asked)
			code := s.run(ctx, mark, v.Command, protocol, channel)
			_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{code}))
			return
		default:
			_ = r.Reply(false, nil)
		}
	}
}

// caller returns the user who has the key now, because it may have changed since the connection began.
func (s *Server) caller(ctx context.Context, mark string) (context.Context, *reqctx.Actor, error) {
	actor, err := s.auth.AnySSHKey(ctx, mark)
	return reqctx.With(ctx, &reqctx.Info{Actor: actor, Start: time.Now(), Method: "SSH"}), actor, err
}
