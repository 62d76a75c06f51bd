package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"svc/server/domain/fixture"
	"svc/server/domain/repository/lifecycle"
	"svc/store"
	"svc/store/clock"
)

// MaxHeaderBytes is large enough that the API itself can refuse a request line that is too long.
const MaxHeaderBytes = 4 << 20

// Start starts the background jobs and everything else that runs besides requests, until Shutdown.
func (s *Server) Start() error {
	ctx, cancel := context.WithCancel(clock.With(store.Background(context.Background()), s.store.Clock()))
	s.cancel = cancel
	if err := s.Worker.Start(ctx); err != nil {
		return err
	}
	s.background.Go(func() {
		if err := s.pusher.Recover(ctx); err != nil && ctx.Err() == nil {
			s.logger.Error("cannot complete interrupted pushes", "error", err) // the periodic job tries again
		}
	})
	s.background.Go(func() {
		s.usage.Run(ctx, func(err error) { s.logger.Error("cannot record usage", "error", err) })
	})
	s.background.Go(func() {
		s.jobQueue.Watch(ctx, func(err error) { s.logger.Error("cannot look for jobs that other processes queued", "error", err) })
	})
	if s.sites != nil {
		s.background.Go(func() { s.sites.files.Run(ctx) })
	}
	return nil
}

// Serve answers requests on a listener until Shutdown. Call Start first.
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

// ServeSSH answers git over SSH on a listener until Shutdown. SSH must be on in the settings.
func (s *Server) ServeSSH(listener net.Listener) error {
	if s.ssh == nil {
		return errors.New("git over SSH is off")
	}
	return s.ssh.Serve(listener)
}

// HostKeys returns the fingerprints of the server's SSH host keys.
func (s *Server) HostKeys() []string {
	if s.ssh == nil {
		return nil
	}
	return s.ssh.Fingerprints()
}

// Fixtures returns the instance as what fixtures are loaded into. Load them before Start.
func (s *Server) Fixtures() fixture.Target { return s.fixtures }

// Shutdown finishes running requests and jobs and writes the recorded usage, until the context ends.
func (s *Server) Shutdown(ctx context.Context) error {
	var errs []error
	s.jobQueue.Close() // waiting runners get an answer without a job
	if s.ssh != nil {
		s.background.Go(func() { _ = s.ssh.Shutdown(ctx) }) // connections that do not end in time are closed
	}
	if s.sites != nil {
		s.background.Go(func() { s.sites.shutdown(ctx) }) // connections that do not end in time are closed
	}
	if s.http != nil {
		errs = append(errs, s.http.Shutdown(ctx))
	}
	errs = append(errs, s.Worker.Stop(ctx))
	if s.cancel != nil {
		s.cancel()
	}
	s.background.Wait()
	s.storages.repositories.Close()
	return errors.Join(errs...)
}

// Flush writes the recorded usage now.
func (s *Server) Flush(ctx context.Context) error { return s.usage.Flush(ctx) }

// RemoveRepositories removes the repositories of deleted projects now.
func (s *Server) RemoveRepositories(ctx context.Context) error {
	return s.repositories.Remove(ctx, lifecycle.Remove{})
}

// WakeRunners makes waiting runners look for jobs now.
func (s *Server) WakeRunners() { s.jobQueue.Notify() }
