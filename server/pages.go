package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"path/filepath"

	"svc/server/platform/access"
	"svc/server/platform/config"
	"svc/server/platform/naming"
	"svc/server/transport/sitehttp"
	"svc/store"
	"svc/store/clock"
	"svc/store/secret"
)

// newSiteFinder returns the finder of Pages sites, or nil if sites are off. It is needed even if another process serves the
// sites.
func newSiteFinder(cfg config.Config, st *store.Store, names naming.Sites) *sitehttp.Finder {
	if !cfg.Pages {
		return nil
	}
	return sitehttp.NewFinder(st, cfg.PagesDomain(), names, sitehttp.Addresses{Below: cfg.PagesURL, Own: cfg.PagesOwnURL})
}

// siteServers serve the Pages sites of projects: one with TLS, one without.
type siteServers struct {
	files      *sitehttp.Server
	plain, tls *http.Server
}

// newSiteServers returns the servers for sites, or nil if this process does not serve sites.
func newSiteServers(s *services, auth *access.Authenticator, permissions *access.Access) (*siteServers, error) {
	cfg := s.cfg
	if !cfg.Pages || cfg.PagesListen == "" && cfg.PagesTLSListen == "" {
		return nil, nil
	}
	cookies, err := secret.NewVault(cfg.SecretKey, "cookies of sites")
	if err != nil {
		return nil, err
	}
	files, err := sitehttp.New(sitehttp.Dependencies{
		Store: s.store, Auth: auth, Access: permissions, Blobs: s.storages.blobs, Keys: s.siteVault,
		Folder: filepath.Join(cfg.Data, "pages"), Finder: s.siteFinder,
		Cookies: cookies, Service: cfg.URL, Proxied: cfg.PagesProxied(), Certificate: cfg.PagesTLSCert,
		Key: cfg.PagesTLSKey, TLS: cfg.PagesTLSListen != "", TLSPort: cfg.PagesTLSURLPort(), Logger: s.logger,
		Served: &s.served.sites,
	})
	if err != nil {
		return nil, err
	}
	all := &siteServers{files: files, plain: files.HTTP(), tls: files.HTTP()}
	for _, one := range []*http.Server{all.plain, all.tls} { // the choice of a certificate depends on the time, too
		one.BaseContext = func(net.Listener) context.Context { return clock.With(context.Background(), s.store.Clock()) }
	}
	return all, nil
}

func (s *siteServers) shutdown(ctx context.Context) {
	for _, one := range []*http.Server{s.plain, s.tls} {
		if one.Shutdown(ctx) != nil {
			_ = one.Close()
		}
	}
}

// Sites returns the handler of requests for sites, or nil if sites are off.
func (s *Server) Sites() http.Handler {
	if s.sites == nil {
		return nil
	}
	return withClock(s.store.Clock(), s.sites.files)
}

// ServePages serves sites on a listener until Shutdown. Pages must be on in the settings.
func (s *Server) ServePages(listener net.Listener) error {
	return s.servePages(func(sites *siteServers) error { return sites.plain.Serve(listener) })
}

// ServePagesTLS is ServePages with TLS.
func (s *Server) ServePagesTLS(listener net.Listener) error {
	return s.servePages(func(sites *siteServers) error { return sites.tls.ServeTLS(listener, "", "") })
}

func (s *Server) servePages(serve func(*siteServers) error) error {
	if s.sites == nil {
		return errors.New("sites are off")
	}
	if err := serve(s.sites); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
