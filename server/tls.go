package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"svc/server/domain/site/acme"
	"svc/server/platform/config"
	"svc/server/platform/keypair"
	"svc/store/clock"
)

// certificate is the certificate of the service itself: from files, or from an authority.
type certificate struct {
	live   *config.Live
	host   string
	files  keypair.Files
	own    *acme.Own     // nil if the certificate is in files
	every  time.Duration // how often watch looks at the files
	logger *slog.Logger
}

// newCertificate returns the certificate of the service, or nil if the service does not speak TLS.
func newCertificate(s *services) (*certificate, error) {
	if !s.cfg.TLS() {
		return nil, nil
	}
	c := &certificate{live: s.live, host: s.cfg.Hostname(), every: certificateCheck, logger: s.logger}
	if s.cfg.TLSACME {
		var err error
		c.own, err = acme.NewOwn(s.certificates, c.host, s.cfg.Data, s.cfg.RedirectListen != "")
		return c, err
	}
	_, err := c.load(s.cfg)
	return c, err
}

// load reads the files again, if they have changed. After an error the old certificate stays.
func (c *certificate) load(cfg config.Config) (changed bool, err error) {
	if c.own != nil {
		return false, nil
	}
	if changed, err = c.files.Load(cfg.TLSCert, cfg.TLSKey); err != nil {
		return false, fmt.Errorf("the certificate of the service: %w", err)
	}
	return changed, nil
}

// current returns the certificate; nil if the authority has not issued it yet.
func (c *certificate) current() *tls.Certificate {
	if c.own != nil {
		return c.own.Get()
	}
	return c.files.Get()
}

var errNoCertificate = errors.New("the authority has not issued the certificate of the service yet")

// get returns the certificate for a handshake.
func (c *certificate) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if c.own != nil {
		if proof := c.own.Proof(hello); proof != nil {
			return proof, nil
		}
	}
	if current := c.current(); current != nil {
		return current, nil
	}
	return nil, errNoCertificate
}

// cipherSuites are those of TLS 1.2. All of them have forward secrecy and authenticated encryption. Those of TLS 1.3 have
// both anyway.
var cipherSuites = []uint16{
	tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
}

// config returns the settings of TLS. net/http adds HTTP/2 to the protocols.
func (c *certificate) config() *tls.Config {
	made := &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: cipherSuites, GetCertificate: c.get}
	if c.own != nil {
		made.NextProtos = []string{"h2", "http/1.1", acme.ChallengeProtocol}
	}
	return made
}

const (
	certificateCheck = time.Minute
	warningPause     = 24 * time.Hour // between two warnings about the same certificate
)

// watch looks for a new certificate in the files, and warns about one that is wrong or expires, until the context ends.
func (c *certificate) watch(ctx context.Context) {
	tick := time.NewTicker(c.every)
	defer tick.Stop()
	var warned *tls.Certificate
	var at time.Time
	for failed := ""; ; {
		if now, current := clock.Now(ctx), c.current(); current != nil && (current != warned || now.Sub(at) >= warningPause) {
			warned, at = current, now
			c.warn(now)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		changed, err := c.load(*c.live.Get())
		switch {
		case err != nil && err.Error() != failed:
			failed = err.Error()
			c.logger.Error("cannot reload the certificate; keeping the old one", "error", err)
		case changed:
			failed = ""
			c.announce()
		}
	}
}

// announce logs that there is a new certificate.
func (c *certificate) announce() {
	c.logger.Info("read a new certificate of the service", "until", c.current().Leaf.NotAfter)
}

// warn logs what is wrong with the certificate.
func (c *certificate) warn(now time.Time) {
	current := c.current()
	if text := keypair.Warning(current, c.host, now); text != "" {
		c.logger.Warn(text, "host", c.host, "from", current.Leaf.NotBefore, "until", current.Leaf.NotAfter)
	}
}

// withHSTS adds the header that makes browsers use only https.
func withHSTS(live *config.Live, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if age := live.Get().HSTS; age > 0 {
			w.Header().Set("Strict-Transport-Security", "max-age="+strconv.FormatInt(int64(age/time.Second), 10))
		}
		next.ServeHTTP(w, r)
	})
}
