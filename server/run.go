package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"svc/server/domain/repository/lifecycle"
	"svc/store"
)

// MaxHeaderBytes leaves room for a request line that is refused in the way of the API, as too long.
const MaxHeaderBytes = 4 << 20

// Start begins to work jobs, and all else that goes on beside requests, until Shutdown.
func (s *Server) Start() error {
	ctx, cancel := context.WithCancel(store.Patient(context.Background()))
	s.cancel = cancel
	if err := s.Worker.Start(ctx); err != nil {
		return err
	}
	s.noted.Go(func() {
		if err := s.push.Recover(ctx); err != nil && ctx.Err() == nil {
			s.logger.Error("end the pushes that were broken off", "error", err) // the periodic job tries again
		}
	})
	s.noted.Go(func() {
		s.usage.Run(ctx, func(err error) { s.logger.Error("note usage", "error", err) })
	})
	s.noted.Go(func() {
		s.queue.Watch(ctx, func(err error) { s.logger.Error("look for jobs that other processes queued", "error", err) })
	})
	if s.sites != nil {
		s.noted.Go(func() { s.sites.files.Run(ctx) })
	}
	return nil
}

// Serve answers requests on a listener until Shutdown. Start comes first.
func (s *Server) Serve(listener net.Listener) error {
	s.http = &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    MaxHeaderBytes,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug),
	}
	err := s.http.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// ServeSSH answers git over SSH on a listener until Shutdown; the setting for it must be on.
func (s *Server) ServeSSH(listener net.Listener) error {
	if s.ssh == nil {
		return errors.New("git over SSH is off")
	}
	return s.ssh.Serve(listener)
}

// HostKeys are the fingerprints that the server is known by over SSH.
func (s *Server) HostKeys() []string {
	if s.ssh == nil {
		return nil
	}
	return s.ssh.Fingerprints()
}

// Shutdown answers the requests that have begun, lets jobs finish and writes down what is noted, until the context ends.
func (s *Server) Shutdown(ctx context.Context) error {
	var errs []error
	s.queue.Close() // runners that wait for a job go home
	if s.ssh != nil {
		s.noted.Go(func() { _ = s.ssh.Shutdown(ctx) }) // what has not ended in time is ended
	}
	if s.sites != nil {
		s.noted.Go(func() { s.sites.shutdown(ctx) }) // what has not ended in time is ended
	}
	if s.http != nil {
		errs = append(errs, s.http.Shutdown(ctx))
	}
	errs = append(errs, s.Worker.Stop(ctx))
	if s.cancel != nil {
		s.cancel()
	}
	s.noted.Wait()
	s.repos.Close()
	return errors.Join(errs...)
}

// Flush writes down noted usage now.
func (s *Server) Flush(ctx context.Context) error { return s.usage.Flush(ctx) }

// RemoveRepositories removes the repositories of deleted projects now.
func (s *Server) RemoveRepositories(ctx context.Context) error {
	return s.keeper.Remove(ctx, lifecycle.Remove{})
}

// WakeRunners has runners that wait look for jobs now.
func (s *Server) WakeRunners() { s.queue.Ring() }
