package main

import (
	"context"
	"fmt"
	"net"

	"svc/server"
	"svc/server/platform/config"
)

// siteListeners are where sites are served; nil where they are not.
type siteListeners struct{ plain, safe net.Listener }

// listenSites listens where sites are to be served, if they are.
func listenSites(ctx context.Context, cfg *config.Config) (l siteListeners, err error) {
	if !cfg.Pages {
		return l, nil
	}
	for _, one := range []struct {
		address *string
		to      *net.Listener
		flag    string
	}{{&cfg.PagesListen, &l.plain, "pages-listen"}, {&cfg.PagesTLSListen, &l.safe, "pages-tls-listen"}} {
		if *one.address == "" {
			continue
		}
		if *one.to, err = (&net.ListenConfig{}).Listen(ctx, "tcp", *one.address); err != nil {
			return l, fmt.Errorf("listen on %s: %w; choose another address with --%s", *one.address, err, one.flag)
		}
		*one.address = (*one.to).Addr().String() // …:0 takes any free port
	}
	return l, nil
}

// serve begins to serve sites, and returns what to tell of it.
func (l siteListeners) serve(s *server.Server, cfg config.Config, ended chan<- error) (note string) {
	begin := func(listener net.Listener, serve func(net.Listener) error, how string) {
		if listener == nil {
			return
		}
		go func() {
			if err := serve(listener); err != nil {
				ended <- err
			}
		}()
		note += fmt.Sprintf("Sites below %s are on %s%s.\n", cfg.PagesDomain(), listener.Addr(), how)
	}
	begin(l.plain, s.ServePages, "")
	begin(l.safe, s.ServePagesTLS, ", with TLS")
	return note
}
