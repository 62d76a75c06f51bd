// Package acme obtains certificates from a certificate authority, and renews them: for the domains of sites, and for the
// service itself (RFC 8555, with the challenges http-01 and tls-alpn-01).
//
//	issuer.go        the account at the authority, and one order
//	order_worker.go  the certificates of sites
//	own.go           the certificate of the service itself
package acme

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"svc/store"
	"svc/store/observe"
	"svc/store/secret"

	"golang.org/x/crypto/acme"
)

// Dependencies are the dependencies and settings of an Issuer.
type Dependencies struct {
	Store     *store.Store
	Accounts  secret.Vault // encrypts the key of our account at the authority
	Keys      secret.Vault // encrypts the keys of certificates
	Directory string       // URL of the authority; empty for none
	Email     string       // contact address for the authority; empty for none
	CA        string       // file with root certificates for the authority, in addition to the system's; empty for none
	Queue     func(ctx context.Context, order Order) error
	Logger    *slog.Logger
}

// Issuer obtains certificates.
type Issuer struct {
	Dependencies
	http *http.Client
}

// callTime is how long one request to the authority may take.
const callTime = 30 * time.Second

// New returns an Issuer. It reads the file of root certificates.
func New(d Dependencies) (*Issuer, error) {
	i := &Issuer{Dependencies: d, http: &http.Client{
		Timeout: callTime, Transport: observe.Transport{Base: http.DefaultTransport},
	}}
	if d.CA == "" {
		return i, nil
	}
	text, err := os.ReadFile(d.CA)
	if err != nil {
		return nil, fmt.Errorf("the certificates of the authority: %w", err)
	}
	trusted, err := x509.SystemCertPool()
	if err != nil {
		trusted = x509.NewCertPool()
	}
	if !trusted.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("the file %q contains no certificates", d.CA)
	}
	i.http.Transport = observe.Transport{Base: &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12},
	}}
	return i, nil
}

// client returns a client for the authority, with a registered account.
func (i *Issuer) client(ctx context.Context) (*acme.Client, error) {
	_, der, err := newKey()
	if err != nil {
		return nil, err
	}
	sealed, err := i.Store.PagesDomains.AcmeKey(ctx, i.Directory, i.Accounts.Seal(der, i.Directory))
	if err != nil {
		return nil, err
	}
	der, err = i.Accounts.Open(sealed, i.Directory)
	if err != nil {
		return nil, fmt.Errorf("the key of the account: %w", err)
	}
	known, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("the key of the account: %w", err)
	}
	key, ok := known.(crypto.Signer)
	if !ok {
		return nil, errors.New("the key of the account cannot sign")
	}
	c := &acme.Client{Key: key, HTTPClient: i.http, DirectoryURL: i.Directory, UserAgent: "svc"}
	account := &acme.Account{}
	if i.Email != "" {
		account.Contact = []string{"mailto:" + i.Email}
	}
	if _, err := c.Register(ctx, account, acme.AcceptTOS); err != nil && !errors.Is(err, acme.ErrAccountAlreadyExists) {
		return nil, fmt.Errorf("register: %w", err)
	}
	return c, nil
}

func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return key, der, err
}

// pair is a certificate with its chain, and its key, as PEM.
type pair struct {
	certificate, key string
	from, until      time.Time
}

// answers hold the ways in which the service can prove to the authority that a domain leads here. At least one is set.
type answers struct {
	http func(ctx context.Context, token, text string) error // stores the text to respond with to a request for the token
	tls  func(proof *tls.Certificate)                        // stores the certificate to present in a handshake of the authority
}

// obtain obtains a certificate for a domain.
func (i *Issuer) obtain(ctx context.Context, domain string, answer answers) (pair, error) {
	c, err := i.client(ctx)
	if err != nil {
		return pair{}, err
	}
	order, err := c.AuthorizeOrder(ctx, acme.DomainIDs(domain))
	if err != nil {
		return pair{}, fmt.Errorf("order: %w", err)
	}
	for _, address := range order.AuthzURLs {
		if err := authorize(ctx, c, address, domain, answer); err != nil {
			return pair{}, err
		}
	}
	ready, err := c.WaitOrder(ctx, order.URI)
	if err != nil {
		return pair{}, fmt.Errorf("order: %w", err)
	}
	key, der, err := newKey()
	if err != nil {
		return pair{}, err
	}
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: []string{domain}}, key)
	if err != nil {
		return pair{}, err
	}
	chain, _, err := c.CreateOrderCert(ctx, ready.FinalizeURL, request, true)
	if err != nil {
		// Some authorities do not repeat the URL of an order that they still process, and the library does not ask for
		// it.
		if done, late := c.WaitOrder(ctx, order.URI); late == nil && done.CertURL != "" {
			chain, err = c.FetchCert(ctx, done.CertURL, true)
		}
	}
	if err != nil {
		return pair{}, fmt.Errorf("get the certificate: %w", err)
	}
	return bundle(domain, chain, key, der)
}

// authorize proves to the authority that the domain leads to this service.
func authorize(ctx context.Context, c *acme.Client, address, domain string, answer answers) error {
	z, err := c.GetAuthorization(ctx, address)
	if err != nil {
		return fmt.Errorf("authorize: %w", err)
	}
	if z.Status == acme.StatusValid {
		return nil
	}
	for _, challenge := range z.Challenges {
		prepared, err := answer.prepare(ctx, c, challenge, domain)
		if err != nil {
			return fmt.Errorf("answer: %w", err)
		}
		if !prepared {
			continue
		}
		if _, err := c.Accept(ctx, challenge); err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		if _, err := c.WaitAuthorization(ctx, z.URI); err != nil {
			return fmt.Errorf("authorize: %w", err)
		}
		return nil
	}
	return errors.New("the authority offers no challenge that this service can answer")
}

// prepare makes the service respond to a challenge; false if it cannot. A service that has both ways responds over HTTP.
func (a answers) prepare(ctx context.Context, c *acme.Client, challenge *acme.Challenge, domain string) (bool, error) {
	switch {
	case challenge.Type == "http-01" && a.http != nil:
		text, err := c.HTTP01ChallengeResponse(challenge.Token)
		if err != nil {
			return false, err
		}
		return true, a.http(ctx, challenge.Token, text)
	case challenge.Type == "tls-alpn-01" && a.tls != nil && a.http == nil:
		proof, err := c.TLSALPN01ChallengeCert(challenge.Token, domain)
		if err != nil {
			return false, err
		}
		a.tls(&proof)
		return true, nil
	}
	return false, nil
}

// maxChain is the maximum number of certificates in a chain.
const maxChain = 10

// bundle checks the received certificates and encodes them as PEM.
func bundle(domain string, chain [][]byte, key *ecdsa.PrivateKey, der []byte) (pair, error) {
	if len(chain) == 0 || len(chain) > maxChain {
		return pair{}, errors.New("the authority sent no chain of certificates")
	}
	leaf, err := x509.ParseCertificate(chain[0])
	if err != nil {
		return pair{}, fmt.Errorf("read the certificate: %w", err)
	}
	if err := leaf.VerifyHostname(domain); err != nil {
		return pair{}, fmt.Errorf("read the certificate: %w", err)
	}
	if public, ok := leaf.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(&key.PublicKey) {
		return pair{}, errors.New("the certificate is for another key")
	}
	got := pair{
		from: leaf.NotBefore.UTC(), until: leaf.NotAfter.UTC(),
		key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	}
	for _, one := range chain {
		got.certificate += string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one}))
	}
	return got, nil
}
