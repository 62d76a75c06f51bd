package config

import (
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// TLS reports whether the service itself speaks TLS.
func (c Config) TLS() bool { return c.TLSCert != "" || c.TLSACME }

// SocketPath returns the path of the UNIX socket on which the service listens; false if it listens on a port.
func (c Config) SocketPath() (string, bool) { return strings.CutPrefix(c.Listen, "unix:") }

// maxSocketPath is the length of the longest path of a UNIX socket that all systems accept.
const maxSocketPath = 103

// SocketMode returns the permissions of the UNIX socket.
func (c Config) SocketMode() (fs.FileMode, error) {
	mode, err := strconv.ParseUint(c.ListenMode, 8, 32)
	if err != nil || mode > 0o777 {
		return 0, errors.New(strconv.Quote(c.ListenMode) + " is not an octal mode, write it like 0660")
	}
	return fs.FileMode(mode), nil
}

// DefaultURL returns the base URL for a listen address without TLS. An address that means all hosts becomes a loopback
// address.
func DefaultURL(listen string) string { return baseURL("http", "80", listen) }

// URLAt returns the base URL for a listen address of the service.
func (c Config) URLAt(listen string) string {
	if c.TLS() {
		return baseURL("https", "443", listen)
	}
	return DefaultURL(listen)
}

func baseURL(scheme, usualPort, listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return ""
	}
	if addr, err := netip.ParseAddr(host); host == "" || (err == nil && addr.IsUnspecified()) {
		host = "127.0.0.1"
	}
	base := url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port)}
	if port == usualPort {
		base.Host = strings.TrimSuffix(base.Host, ":"+port)
	}
	return base.String()
}

// validateListen checks the address of the service, and derives the URL from it if the user gave none.
func (c *Config) validateListen(values givens) Mistakes {
	var wrong Mistakes
	if _, given := values["listen"]; c.Ephemeral && !given {
		c.Listen = "127.0.0.1:0" // several tests can run at the same time
	}
	if _, err := c.SocketMode(); err != nil {
		wrong.add(values.label("listen-mode"), "%v", err)
	}
	path, socket := c.SocketPath()
	switch {
	case socket && (!filepath.IsAbs(path) || len(path) > maxSocketPath):
		wrong.add(values.label("listen"), "%q is not unix: and an absolute path of at most %d bytes, write it like unix:/run/svc/svc.sock",
			c.Listen, maxSocketPath)
	case socket && c.URL == "":
		wrong.add(values.label("url"), "a service on a socket does not know its URL, write it like https://git.example.com")
	case socket && c.TestMode:
		wrong.add(values.label("listen"), "a socket is not offered together with test-mode")
	case socket:
	case !isHostPort(c.Listen):
		wrong.add(values.label("listen"), "%q is not host:port with a port from 0 to 65535, write it like 127.0.0.1:8080", c.Listen)
	case c.URL == "":
		c.URL = c.URLAt(c.Listen)
	}
	return wrong
}

// validateTLS checks the settings of TLS and of proxies in front of the service.
func (c *Config) validateTLS(values givens) Mistakes {
	var wrong Mistakes
	if (c.TLSCert == "") != (c.TLSKey == "") {
		wrong.add(values.label("tls-cert"), "a certificate needs its key, set both tls-cert and tls-key")
	}
	if c.TLSACME {
		wrong = append(wrong, c.validateACME(values)...)
	}
	if c.TLS() && !strings.HasPrefix(strings.ToLower(c.URL), "https:") {
		wrong.add(values.label("url"), "the service speaks TLS, so the URL must begin with https://")
	}
	if !c.TLS() && c.HSTS > 0 {
		wrong.add(values.label("hsts"), "only a service with TLS sends this header, set tls-cert and tls-key, or tls-acme")
	}
	if c.RedirectListen != "" && !c.TLS() {
		wrong.add(values.label("redirect-listen"), "there is nothing to redirect to without TLS, set tls-cert and tls-key, or tls-acme")
	}
	if c.RedirectListen != "" && !isHostPort(c.RedirectListen) {
		wrong.add(values.label("redirect-listen"),
			"%q is not host:port with a port from 0 to 65535, write it like 0.0.0.0:80", c.RedirectListen)
	}
	if c.ProxyProtocol && len(c.TrustedProxies) == 0 {
		wrong.add(values.label("proxy-protocol"), "list the proxies that send it in trusted-proxies")
	}
	return wrong
}

// validateACME checks the settings of a certificate that an ACME authority issues for the service.
func (c *Config) validateACME(values givens) Mistakes {
	var wrong Mistakes
	label := values.label("tls-acme")
	if c.TLSCert != "" {
		wrong.add(label, "the certificate comes from tls-cert or from an authority, not from both")
	}
	if c.ACMEDirectory == "" {
		wrong.add(label, "set acme-directory to the authority that issues the certificate")
	}
	if host := c.Hostname(); net.ParseIP(host) != nil || !strings.Contains(host, ".") {
		wrong.add(label, "no authority issues a certificate for the host %q, set url to a public name", host)
	}
	return wrong
}
