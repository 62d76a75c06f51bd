// Package sitehttp serves the sites that projects publish, on a listener of its own: at <namespace>.<host>/<project>/…,
// and at domains that projects have verified.
//
//	server.go       one request, from its host to a file
//	find.go         finds the site of a host and a path
//	signin.go       sign-in at the service for sites with restricted access
//	file.go         one file of a site
//	unpack.go       the local copies of sites
//	certificate.go  certificates by the requested name
package sitehttp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/observe"
	"svc/store/secret"
)

// Dependencies are the dependencies and settings of the server.
type Dependencies struct {
	Store       *store.Store
	Auth        *access.Authenticator
	Access      *access.Access
	Blobs       blob.Store
	Keys        secret.Vault // decrypts the private keys of domains
	Folder      string       // for unpacked sites; it only contains copies
	Finder      *Finder
	Cookies     secret.Vault // seals the cookies of sites
	Service     string       // URL of the service, where users sign in
	Proxied     bool         // browsers come through a proxy, which terminates TLS
	Certificate string       // files with the certificate and key for the names below the host; empty for none
	Key         string
	TLS         bool // there is a listener with TLS
	TLSPort     int  // the port that clients use; URLs omit 443
	Logger      *slog.Logger
	Served      *observe.Served // counts requests; nil counts nothing
}

// Server serves sites.
type Server struct {
	Dependencies
	unpacked localSites
	pairs    certificates
}

// fresh is how long it may take to notice that a site was published, restricted or removed.
const fresh = time.Second

// New returns a server. It empties the folder, because files may be incomplete after a power cut.
func New(d Dependencies) (*Server, error) {
	s := &Server{Dependencies: d}
	if err := s.LoadCertificate(); err != nil {
		return nil, err
	}
	return s, s.unpacked.open(d.Folder)
}

// Run deletes the local copies of removed sites, and checks for a new certificate, until the context ends.
func (s *Server) Run(ctx context.Context) {
	tick := time.NewTicker(tidyEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.tidy(ctx); err != nil && ctx.Err() == nil {
			s.Logger.Error("cannot remove deleted sites", "error", err)
		}
		if err := s.LoadCertificate(); err != nil {
			s.Logger.Error("cannot reload the certificate of sites; keeping the old one", "error", err)
		}
	}
}

// errNoPage says that a site or file does not exist, or that the caller cannot see it.
var errNoPage = errors.New("page not found")

const challengePath = "/.well-known/acme-challenge/"

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed)
		return
	}
	count, failed := s.Served.Begin(), false
	defer func() { count(!failed) }()
	err := s.serve(w, r)
	switch {
	case err == nil:
	case errors.Is(err, errNoPage):
		fail(w, http.StatusNotFound)
	case r.Context().Err() != nil: // the client has disconnected
	case errors.Is(err, errBusy):
		failed = true
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusServiceUnavailable)
	default:
		failed = true
		s.Logger.Error("cannot serve a site", "host", r.Host, "error", err)
		fail(w, http.StatusInternalServerError)
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	host := hostOf(r.Host)
	if token, ok := strings.CutPrefix(r.URL.Path, challengePath); ok {
		answered, err := Answer(r.Context(), w, s.Store, host, token)
		if answered || err != nil {
			return err
		}
	}
	if r.URL.Path == arrivalPath {
		return s.exchangeCode(w, r, host)
	}
	at, err := s.Finder.find(r.Context(), host, r.URL.Path)
	if errors.Is(err, errNoPage) && s.Finder.isBelowHost(host) && s.canSignIn(r) {
		s.redirectToSignIn(w, r) // a missing site must look like one with restricted access
		return nil
	}
	if err != nil {
		return err
	}
	if to, ok := s.secured(r, host, at.site); ok {
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		return nil
	}
	open := at.site.Public()
	if !open {
		known, err := s.allow(r, host, at.site)
		if errors.Is(err, errNoPage) && !known && s.canSignIn(r) {
			s.redirectToSignIn(w, r)
			return nil
		}
		if err != nil {
			return err
		}
	}
	if to, ok := s.primary(r, host, at); ok {
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		return nil
	}
	return s.servePage(w, r, at, open)
}

// primary returns the URL at the primary domain of a site, if the site has one and the request is for another host. Only
// callers who can see the site are redirected.
func (s *Server) primary(r *http.Request, host string, at place) (string, bool) {
	domain := at.site.PrimaryDomain
	if domain == "" || domain == host {
		return "", false
	}
	rest := url.URL{Path: at.rest, RawQuery: r.URL.RawQuery}
	if rest.Path == "" {
		rest.Path = "/"
	}
	return s.Finder.addresses.Own(domain, at.site.PrimarySecure) + rest.String(), true
}

// servePage answers with a file of a site. open is set if everyone may read the site.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request, at place, open bool) error {
	root, err := s.root(r.Context(), at.site)
	if err != nil {
		return err
	}
	defer root.Close()
	page{w: w, r: r, root: root, place: at, open: open}.serve()
	return nil
}

// hostOf returns the name of a host without its port, in lower case.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// Answer responds to the ACME challenge of a certificate authority at a domain; false if there is no such challenge.
func Answer(ctx context.Context, w http.ResponseWriter, st *store.Store, host, token string) (bool, error) {
	if token == "" || len(token) > 200 || len(host) > 253 {
		return false, nil
	}
	text, err := st.PagesDomains.Challenge(ctx, strings.ToValidUTF8(host, ""), strings.ToValidUTF8(token, ""))
	if store.IsNotFound(err) || (err == nil && text == "") {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text) // an error means that the client has disconnected
	return true, nil
}

// secured returns the https URL to which a request without TLS is redirected, if there is a certificate for the name.
func (s *Server) secured(r *http.Request, host string, site *model.PagesSite) (string, bool) {
	certified := site.Secure || s.Finder.isBelowHost(host) && s.pairs.has()
	if r.TLS != nil || !s.TLS || !certified {
		return "", false
	}
	to := url.URL{Scheme: "https", Host: withPort(host, s.TLSPort, 443), Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	return to.String(), true
}

// allow checks that the caller can see the site, by a token or by the cookie from signing in. known reports whether the
// caller is authenticated.
func (s *Server) allow(r *http.Request, host string, site *model.PagesSite) (known bool, err error) {
	actor, err := s.actor(r)
	if err == nil && actor == nil {
		actor, err = s.visitor(r, host, site)
	}
	if err == nil && actor == nil {
		return false, errNoPage
	}
	if err == nil {
		err = access.CheckScope(actor, []string{"api", "read_api"})
	}
	if err == nil {
		info := &reqctx.Info{Method: r.Method, URL: r.URL, Header: r.Header, Actor: actor, IP: addressOf(r)}
		_, err = s.Access.Project(reqctx.With(r.Context(), info), idText(site.ProjectID), access.ReadPages)
	}
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return actor != nil, errNoPage
	}
	return actor != nil, err
}

func (s *Server) actor(r *http.Request) (*reqctx.Actor, error) {
	if token := r.Header.Get("PRIVATE-TOKEN"); token != "" {
		return s.Auth.Bearer(r.Context(), token)
	}
	if token := r.Header.Get("JOB-TOKEN"); token != "" {
		return s.Auth.Job(r.Context(), token)
	}
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); strings.EqualFold(kind, "Bearer") && token != "" {
		return s.Auth.Bearer(r.Context(), token)
	}
	return nil, nil
}

func addressOf(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr()
}

// fail responds with an error status.
func fail(w http.ResponseWriter, status int) {
	for _, name := range []string{"ETag", "Last-Modified", "Content-Encoding", "Content-Length"} {
		w.Header().Del(name)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, http.StatusText(status), status)
}

// HTTP returns an HTTP server with limits of time and size for untrusted clients.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 15 * time.Minute,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug), TLSConfig: s.tls(),
	}
}
