// Package sitehttp serves the sites that projects publish, on a listener of its own: <namespace>.<host>/<project>/…, and names that
// projects have proved to be their own.
//
//	server.go       one request, from its host to a file
//	find.go         which site a host and a path name
//	signin.go       people sign in at the service, and come back
//	file.go         a file of a site
//	unpack.go       the files of a site come to this machine, and go
//	certificate.go  certificates by the name that a client asks for
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
	"svc/store/secret"
)

// Options are what sites are served with.
type Options struct {
	Store       *store.Store
	Auth        *access.Authenticator
	Judge       *access.Access
	Blobs       blob.Store
	Keys        secret.Vault // private keys of names
	Folder      string       // for unpacked sites; what is in it is only a copy
	Finder      *Finder
	Cookies     secret.Vault // what browsers keep for us
	Service     string       // URL of the service, where people sign in
	Proxied     bool         // whether browsers come by a proxy, which has TLS
	Certificate string       // files with the certificate for the names below the host, and its key; empty for none
	Key         string
	TLS         bool // whether there is a listener with TLS
	TLSPort     int  // that clients see; 443 is not named
	Logger      *slog.Logger
}

// Server serves sites.
type Server struct {
	Options
	unpacked unpacked
	pairs    pairs
}

// fresh is how long it may go unseen that a site was published, closed or taken down.
const fresh = time.Second

// New empties the folder: after a power cut, files in it might be there without their bytes.
func New(o Options) (*Server, error) {
	s := &Server{Options: o}
	if err := s.pairs.load(o.Certificate, o.Key); err != nil {
		return nil, err
	}
	return s, s.unpacked.open(o.Folder)
}

// Run removes sites from this machine that are gone, and looks for a new certificate, until the context ends.
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
			s.Logger.Error("remove sites that are gone", "error", err)
		}
		if err := s.pairs.load(s.Certificate, s.Key); err != nil {
			s.Logger.Error("read the certificate of sites again; the old one stays", "error", err)
		}
	}
}

// errNone is a site or file that is not there, or that the caller may not see.
var errNone = errors.New("there is no such page")

const challengePath = "/.well-known/acme-challenge/"

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed)
		return
	}
	err := s.serve(w, r)
	switch {
	case err == nil:
	case errors.Is(err, errNone):
		fail(w, http.StatusNotFound)
	case r.Context().Err() != nil: // nobody is there to be told
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusServiceUnavailable)
	default:
		s.Logger.Error("serve a site", "host", r.Host, "error", err)
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
		return s.arrive(w, r, host)
	}
	at, err := s.Finder.find(r.Context(), host, r.URL.Path)
	if errors.Is(err, errNone) && s.Finder.below(host) && s.mayAsk(r) {
		s.ask(w, r) // what is not there looks like what is not for everybody
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
		if errors.Is(err, errNone) && !known && s.mayAsk(r) {
			s.ask(w, r)
			return nil
		}
		if err != nil {
			return err
		}
	}
	root, err := s.root(r.Context(), at.site)
	if err != nil {
		return err
	}
	defer root.Close()
	page{w: w, r: r, root: root, place: at, open: open}.serve()
	return nil
}

// hostOf is the name of a host without its port, in lower case.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// Answer tells an authority at a name what it asks for; false if nothing is asked for there.
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
	_, _ = io.WriteString(w, text) // who is gone needs no answer
	return true, nil
}

// secured is where a request without TLS is sent, if there is a certificate for the name.
func (s *Server) secured(r *http.Request, host string, site *model.PagesSite) (string, bool) {
	certified := site.Secure || s.Finder.below(host) && s.pairs.has()
	if r.TLS != nil || !s.TLS || !certified {
		return "", false
	}
	to := url.URL{Scheme: "https", Host: withPort(host, s.TLSPort, 443), Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	return to.String(), true
}

// allow lets in people who may see the site: they come with a token, or with the cookie that they got by signing in. Known
// reports whether the caller is somebody.
func (s *Server) allow(r *http.Request, host string, site *model.PagesSite) (known bool, err error) {
	actor, err := s.actor(r)
	if err == nil && actor == nil {
		actor, err = s.visitor(r, host, site)
	}
	if err == nil && actor == nil {
		return false, errNone
	}
	if err == nil {
		err = access.CheckScope(actor, access.Accepted([]string{"api"}, true))
	}
	if err == nil {
		info := &reqctx.Info{Method: r.Method, URL: r.URL, Header: r.Header, Actor: actor, IP: addressOf(r)}
		_, err = s.Judge.Project(reqctx.With(r.Context(), info), idText(site.ProjectID), access.ReadPages)
	}
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return actor != nil, errNone
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

// fail answers that there is nothing.
func fail(w http.ResponseWriter, status int) {
	for _, name := range []string{"ETag", "Last-Modified", "Content-Encoding", "Content-Length"} {
		w.Header().Del(name)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, http.StatusText(status), status)
}

// HTTP is a server with the times and sizes that strangers are held to.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 15 * time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug), TLSConfig: s.tls(),
	}
}
