package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"svc/server/domain/account"
	"svc/server/domain/fixture"
	"svc/server/domain/repository/lifecycle"
	"svc/server/transport/listen"
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
	s.background.Go(func() {
		s.store.Settings.Watch(ctx,
			func(err error) { s.logger.Error("cannot read the settings that other processes changed", "error", err) })
	})
	if s.sites != nil {
		s.background.Go(func() { s.sites.files.Run(ctx) })
	}
	if s.certificate != nil {
		s.background.Go(func() { s.certificate.watch(ctx) })
		if own := s.certificate.own; own != nil {
			s.background.Go(func() { own.Run(ctx) })
		}
	}
	if s.exporter != nil {
		s.background.Go(func() { s.exporter.Run(ctx) })
	}
	if s.auditStream != nil {
		s.background.Go(func() { s.auditStream.Run(ctx) })
	}
	return nil
}

// proxied returns a listener that understands the PROXY protocol, if that is on in the settings.
func (s *Server) proxied(listener net.Listener) net.Listener {
	if !s.services.cfg.ProxyProtocol {
		return listener
	}
	return listen.Proxied(listener, func() []netip.Prefix { return s.services.live.Get().TrustedProxies }, s.logger)
}

// Serve answers requests on a listener until Shutdown, with TLS and HTTP/2 if the settings have a certificate. Call Start
// first.
func (s *Server) Serve(listener net.Listener) error {
	s.http = &http.Server{
		Handler:           s.Handler,
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    MaxHeaderBytes,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug),
	}
	var err error
	if s.certificate != nil {
		s.http.Handler, s.http.TLSConfig = withHSTS(s.services.live, s.Handler), s.certificate.config()
		err = s.http.ServeTLS(s.proxied(listener), "", "")
	} else {
		err = s.http.Serve(s.proxied(listener))
	}
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
	return s.ssh.Serve(s.proxied(listener))
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

// Accounts returns the service that changes and deletes users, for commands.
func (s *Server) Accounts() *account.Service { return s.accounts }

// Repositories returns the service that moves repositories, for commands.
func (s *Server) Repositories() *lifecycle.Repositories { return s.repositories }

// Leave makes readiness fail from now on, while requests are still answered. It tells load balancers that Shutdown follows.
func (s *Server) Leave() { s.Worker.Leave() }

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
	if s.redirect != nil {
		s.background.Go(func() {
			if s.redirect.Shutdown(ctx) != nil {
				_ = s.redirect.Close()
			}
		})
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
