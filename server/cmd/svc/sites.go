package main

import (
	"context"
	"fmt"
	"net"

	"svc/server"
	"svc/server/platform/config"
)

// siteListeners are the listeners for Pages sites. They are nil if sites are not served there.
type siteListeners struct{ plain, tls net.Listener }

// listenSites opens the listeners for sites, if the settings have any.
func listenSites(ctx context.Context, cfg *config.Config) (l siteListeners, err error) {
	if !cfg.Pages {
		return l, nil
	}
	for _, one := range []struct {
		address *string
		to      *net.Listener
		flag    string
	}{{&cfg.PagesListen, &l.plain, "pages-listen"}, {&cfg.PagesTLSListen, &l.tls, "pages-tls-listen"}} {
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

// serve starts to serve sites, and returns the lines to print about it.
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
	begin(l.tls, s.ServePagesTLS, ", with TLS")
	return note
}
