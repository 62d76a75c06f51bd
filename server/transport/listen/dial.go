package listen

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// localHeader is a header of version 2 of the PROXY protocol that has no address: its sender is the client itself.
var localHeader = append(append([]byte{}, signature...), commandLocal, unspecified, 0, 0)

// Dial connects from this machine to a listener of the service: the network is tcp or unix. If the listener expects the
// PROXY protocol from the networks in proxies and this machine is in one of them, Dial sends its header.
func Dial(ctx context.Context, network, address string, proxies []netip.Prefix) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	from := conn.LocalAddr()
	if network == "unix" {
		from = localClient
	}
	if !contains(proxies, from) {
		return conn, nil
	}
	if _, err := conn.Write(localHeader); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}
