package sitehttp

import (
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"sync"

	"svc/server/platform/keypair"
	"svc/store"
	"svc/store/clock"
)

// certificates holds certificates with their keys.
type certificates struct {
	own   keypair.Files // for the names below the host
	mu    sync.Mutex
	known map[[sha256.Size]byte]*tls.Certificate
}

// mostKnown is the largest number of cached certificates of domains.
const mostKnown = 1000

// LoadCertificate reads the certificate for the names below the host, if its files have changed.
func (s *Server) LoadCertificate() error {
	if _, err := s.pairs.own.Load(s.Certificate, s.Key); err != nil {
		return fmt.Errorf("the certificate of sites: %w", err)
	}
	return nil
}

// has reports whether there is a certificate for the names below the host.
func (p *certificates) has() bool { return p.own.Get() != nil }

func (s *Server) tls() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.certificate}
}

// errNoName says that there is no certificate for a name.
var errNoName = errors.New("there is no certificate for this name")

// certificate returns the certificate for the name that a client requests.
func (s *Server) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	host := strings.ToLower(strings.TrimSuffix(hello.ServerName, "."))
	if host == s.Finder.host || s.Finder.isBelowHost(host) {
		if own := s.pairs.own.Get(); own != nil {
			return own, nil
		}
		return nil, errNoName
	}
	if host == "" || len(host) > maxName {
		return nil, errNoName
	}
	d, err := s.Store.PagesDomains.AtDomain(hello.Context(), strings.ToValidUTF8(host, ""))
	switch {
	case store.IsNotFound(err):
		return nil, errNoName
	case err != nil:
		return nil, err
	case d.Certificate == nil || d.EnabledUntil == nil || !d.EnabledUntil.After(clock.Now(hello.Context())):
		return nil, errNoName
	}
	return s.pairs.of(d.Domain, *d.Certificate, d.SealedKey, s.Keys.Open)
}

// of returns the certificate of a domain with its key. The cache key covers the domain, the certificate and the private
// key, so a new certificate is never missed.
func (p *certificates) of(
	domain, certificate string, sealed []byte, open func(sealed []byte, owner string) ([]byte, error),
) (*tls.Certificate, error) {
	sum := sha256.New()
	sum.Write([]byte(domain + "\n" + certificate + "\n"))
	sum.Write(sealed)
	id := [sha256.Size]byte(sum.Sum(nil))
	p.mu.Lock()
	pair := p.known[id]
	p.mu.Unlock()
	if pair != nil {
		return pair, nil
	}
	key, err := open(sealed, domain)
	if err != nil {
		return nil, fmt.Errorf("the key of %s: %w", domain, err)
	}
	made, err := tls.X509KeyPair([]byte(certificate), key)
	if err != nil {
		return nil, fmt.Errorf("the certificate of %s: %w", domain, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil || len(p.known) >= mostKnown {
		p.known = map[[sha256.Size]byte]*tls.Certificate{}
	}
	p.known[id] = &made
	return &made, nil
}
