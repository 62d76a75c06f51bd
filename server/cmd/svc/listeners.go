package main

import (
	"context"
	"errors"
	"fmt"
	"net"

	"svc/server"
	"svc/server/platform/config"
	"svc/server/transport/listen"
)

// listeners are the open listeners of the service.
type listeners struct {
	web, ssh net.Listener // ssh is nil without git over SSH
	redirect net.Listener // nil without redirects to https
	sites    siteListeners
	control  net.Listener // nil without test mode
}

// bind opens all listeners, or takes those that the service manager has opened. It runs before an instance is created, so
// that a start that fails because an address is in use leaves nothing behind.
func bind(ctx context.Context, cfg *config.Config) (l listeners, err error) {
	inherited, err := listen.Inherited()
	if err != nil {
		return l, err
	}
	if err := checkInherited(inherited, *cfg); err != nil {
		return l, err
	}
	b := binder{cfg: cfg, inherited: inherited}
	if l.web, err = b.openWeb(ctx); err != nil {
		return l, err
	}
	if l.control, err = listenControl(ctx, cfg); err != nil {
		return l, err
	}
	for _, one := range []struct {
		to      *net.Listener
		address *string
		name    string
		flag    string
	}{
		{&l.ssh, &cfg.SSHListen, "ssh", "ssh-listen"},
		{&l.redirect, &cfg.RedirectListen, "redirect", "redirect-listen"},
		{&l.sites.plain, &cfg.PagesListen, "sites", "pages-listen"},
		{&l.sites.tls, &cfg.PagesTLSListen, "sites-tls", "pages-tls-listen"},
	} {
		if !cfg.Pages && (one.to == &l.sites.plain || one.to == &l.sites.tls) {
			continue
		}
		if *one.to, err = b.open(ctx, one.name, one.flag, one.address); err != nil {
			return l, err
		}
	}
	return l, nil
}

// checkInherited refuses sockets that the settings have no use for.
func checkInherited(inherited map[string]net.Listener, cfg config.Config) error {
	for name := range inherited {
		switch {
		case cfg.Ephemeral: // its secrets can be known, so it must not be reachable at an address that nobody has checked
			return errors.New("sockets of the service manager are not offered together with ephemeral")
		case name == "redirect" && !cfg.TLS():
			return errors.New("the service manager has opened the socket redirect, but there is nothing to redirect to without TLS")
		case !cfg.Pages && (name == "sites" || name == "sites-tls"):
			return fmt.Errorf("the service manager has opened the socket %s, but sites are off", name)
		}
	}
	return nil
}

// binder opens listeners.
type binder struct {
	cfg       *config.Config
	inherited map[string]net.Listener
}

// openWeb opens the listener of the service itself. If the URL was derived from the address, it follows the address that
// was really taken.
func (b binder) openWeb(ctx context.Context) (net.Listener, error) {
	derived := b.cfg.URL == b.cfg.URLAt(b.cfg.Listen)
	listener, err := b.listenWeb(ctx)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; choose another address with --listen", b.cfg.Listen, err)
	}
	if !derived {
		return listener, nil
	}
	if listener.Addr().Network() == "unix" {
		return nil, errors.New("the service manager has opened a UNIX socket: set the URL that users see with --url")
	}
	b.cfg.URL = b.cfg.URLAt(listener.Addr().String()) // --listen …:0 takes any free port
	return listener, nil
}

func (b binder) listenWeb(ctx context.Context) (net.Listener, error) {
	if given := b.inherited["web"]; given != nil {
		return given, nil
	}
	path, socket := b.cfg.SocketPath()
	if !socket {
		return listen.Port(ctx, b.cfg.Listen)
	}
	mode, err := b.cfg.SocketMode()
	if err != nil {
		return nil, err
	}
	return listen.Socket(ctx, path, mode)
}

// open opens the listener of a setting, or takes the one that the service manager has opened under a name. It returns nil
// if there is neither. The setting becomes the address that was really taken: …:0 takes any free port.
func (b binder) open(ctx context.Context, name, flag string, address *string) (net.Listener, error) {
	listener := b.inherited[name]
	if listener == nil {
		if *address == "" {
			return nil, nil
		}
		var err error
		if listener, err = listen.Port(ctx, *address); err != nil {
			return nil, fmt.Errorf("listen on %s: %w; choose another address with --%s", *address, err, flag)
		}
	}
	*address = listener.Addr().String()
	return listener, nil
}

// serveRedirects starts to redirect from http to https, if there is a listener for it, and returns the line to print
// about it.
func serveRedirects(s *server.Server, listener net.Listener, ended chan<- error) string {
	if listener == nil {
		return ""
	}
	go func() {
		if err := s.ServeRedirects(listener); err != nil {
			ended <- err
		}
	}()
	return fmt.Sprintf("Redirects to https are on %s.\n", listener.Addr())
}
