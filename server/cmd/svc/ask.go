package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"

	"svc/server/platform/config"
	"svc/server/transport/listen"
)

// ask sends a GET request to the service that these settings start, at the address on which it listens and not at its
// URL, so that no proxy is in between. It returns the status and the text of the answer.
//
// The certificate of the service is not checked: the request has no secrets, and whether other machines trust the
// certificate says nothing about the state of the service.
func ask(ctx context.Context, cfg config.Config, path string) (status int, text string, err error) {
	base, err := url.Parse(cfg.URL)
	if err != nil {
		return 0, "", err
	}
	network, address := "tcp", ""
	if socket, ok := cfg.SocketPath(); ok {
		network, address = "unix", socket
	} else if address, err = reachable(cfg.Listen); err != nil {
		return 0, "", err
	}
	var proxies []netip.Prefix
	if cfg.ProxyProtocol {
		proxies = cfg.TrustedProxies
	}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return listen.Dial(ctx, network, address, proxies)
		},
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // see above
		DisableKeepAlives: true,
	}
	to := url.URL{Scheme: "http", Host: base.Host, Path: path}
	if cfg.TLS() {
		to.Scheme = "https"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil)
	if err != nil {
		return 0, "", err
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w", cfg.Listen, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	return res.StatusCode, string(body), err
}

// reachable returns the address at which this machine reaches a listener. One on all hosts is reached at a loopback
// address.
func reachable(address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	addr, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && addr.IsUnspecified() && addr.Is4():
		host = "127.0.0.1"
	case err == nil && addr.IsUnspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port), nil
}
