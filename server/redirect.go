package server

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc/server/transport/sitehttp"
)

const challengePath = "/.well-known/acme-challenge/"

// newRedirect returns the server without TLS beside the one with TLS. It answers ACME challenges and redirects everything
// else to the URL of the service.
func (s *Server) newRedirect() (*http.Server, error) {
	base, err := url.Parse(s.services.cfg.URL)
	if err != nil {
		return nil, err
	}
	redirect := redirectTo(base)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.URL.Path, challengePath)
		if !ok || !s.answerChallenge(w, r, token) {
			redirect(w, r)
		}
	})
	return &http.Server{
		Handler: withClock(s.store.Clock(), handler), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second, IdleTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug),
	}, nil
}

// answerChallenge answers a challenge for the service itself or for a site; false if there is no such challenge.
func (s *Server) answerChallenge(w http.ResponseWriter, r *http.Request, token string) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(host)
	if s.certificate.own != nil {
		if text := s.certificate.own.Answer(host, token); text != "" {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			_, _ = w.Write([]byte(text)) // an error means that the client has disconnected
			return true
		}
	}
	answered, err := sitehttp.Answer(r.Context(), w, s.store, host, token)
	if err != nil {
		s.logger.Error("cannot answer an ACME challenge", "host", host, "error", err)
	}
	return answered
}

// redirectTo redirects reads to a URL. The host never comes from the request. Writes are refused: a client that sends
// them without TLS sends its credentials without TLS, too, and should notice.
func redirectTo(base *url.URL) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "This service accepts requests only with TLS, at "+base.String()+".", http.StatusForbidden)
			return
		}
		to := url.URL{Scheme: base.Scheme, Host: base.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
	}
}

// ServeRedirects serves redirects to the URL of the service on a listener until Shutdown. TLS must be on in the settings.
func (s *Server) ServeRedirects(listener net.Listener) error {
	if s.redirect == nil {
		return errors.New("there is nothing to redirect to without TLS")
	}
	if err := s.redirect.Serve(s.proxied(listener)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
