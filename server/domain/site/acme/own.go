package acme

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
)

// ChallengeProtocol is the protocol that the authority asks for in a handshake for the challenge tls-alpn-01.
const ChallengeProtocol = acme.ALPNProto

// Own obtains and renews the certificate of the service itself. The certificate is in a file of the data folder, so that
// a restart does not order another one.
type Own struct {
	issuer *Issuer
	host   string
	file   string
	plain  bool // a listener without TLS answers challenges

	mu            sync.Mutex
	current       *tls.Certificate // nil until the first one is there
	token, answer string           // the challenge http-01 of the running order
	proof         *tls.Certificate // the challenge tls-alpn-01 of the running order
}

// NewOwn returns the certificate for a host; folder holds its file. plain says that a listener without TLS answers
// challenges; otherwise the listener with TLS does.
func NewOwn(issuer *Issuer, host, folder string, plain bool) (*Own, error) {
	o := &Own{issuer: issuer, host: host, file: filepath.Join(folder, "acme", host+".pem"), plain: plain}
	text, err := os.ReadFile(o.file)
	if errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the certificate of the service: %w", err)
	}
	if err := o.use(text); err != nil {
		issuer.Logger.Warn("cannot use the stored certificate of the service; ordering another one", "file", o.file, "error", err)
	}
	return o, nil
}

// use presents a certificate from now on. text has the key and the certificate with its chain.
func (o *Own) use(text []byte) error {
	made, err := tls.X509KeyPair(text, text)
	if err == nil {
		err = made.Leaf.VerifyHostname(o.host)
	}
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.current = &made
	return nil
}

// Get returns the certificate; nil if there is none yet.
func (o *Own) Get() *tls.Certificate {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.current
}

// Proof returns the certificate that answers the challenge of a handshake, if it is one of the authority.
func (o *Own) Proof(hello *tls.ClientHelloInfo) *tls.Certificate {
	if !slices.Equal(hello.SupportedProtos, []string{ChallengeProtocol}) || !strings.EqualFold(hello.ServerName, o.host) {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.proof
}

// Answer returns the answer to a challenge of the authority over HTTP; empty if there is none.
func (o *Own) Answer(host, token string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.token == "" || token != o.token || !strings.EqualFold(host, o.host) {
		return ""
	}
	return o.answer
}

// Run obtains the certificate and renews it in time, until the context ends.
func (o *Own) Run(ctx context.Context) {
	tries := int64(0)
	for wait := o.untilDue(ctx); ; {
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		if wait = o.untilDue(ctx); wait > 0 {
			continue
		}
		err := o.order(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			tries, wait = 0, max(o.untilDue(ctx), firstWait) // even if the lifetime is very short
			o.issuer.Logger.Info("obtained a certificate for the service", "host", o.host, "until", o.Get().Leaf.NotAfter)
		default:
			tries++
			wait = retryAfter(tries, err)
			o.issuer.Logger.Warn("cannot get a certificate for the service", "host", o.host, "error", reason(err), "again", wait)
		}
	}
}

// longestSleep is how long Run waits at most before it looks at the time again, which may have jumped.
const longestSleep = time.Hour

// untilDue returns how long to wait until the certificate is due; 0 if it is.
func (o *Own) untilDue(ctx context.Context) time.Duration {
	current := o.Get()
	if current == nil {
		return 0
	}
	due := renewal(current.Leaf.NotBefore, current.Leaf.NotAfter)
	return max(0, min(due.Sub(now(ctx)), longestSleep))
}

// order obtains a certificate, stores it and presents it.
func (o *Own) order(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, orderTime)
	defer cancel()
	ways := answers{tls: func(proof *tls.Certificate) { o.challenge("", "", proof) }}
	if o.plain {
		ways = answers{http: func(_ context.Context, token, text string) error {
			o.challenge(token, text, nil)
			return nil
		}}
	}
	defer o.challenge("", "", nil)
	got, err := o.issuer.obtain(limited, o.host, ways)
	if err != nil {
		return err
	}
	text := []byte(got.key + got.certificate)
	if err := o.store(text); err != nil {
		o.issuer.Logger.Error("cannot store the certificate of the service; a restart orders another one", "error", err)
	}
	return o.use(text)
}

// challenge sets the challenge that the service answers.
func (o *Own) challenge(token, answer string, proof *tls.Certificate) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.token, o.answer, o.proof = token, answer, proof
}

// store writes the file as a whole or not at all.
func (o *Own) store(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(o.file), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(o.file), "draft-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return os.Rename(draft.Name(), o.file)
}
