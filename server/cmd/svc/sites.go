package main

import (
	"fmt"
	"net"

	"svc/server"
	"svc/server/platform/config"
)

// siteListeners are the listeners for Pages sites. They are nil if sites are not served there.
type siteListeners struct{ plain, tls net.Listener }

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
