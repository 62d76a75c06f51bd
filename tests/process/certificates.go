package process

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// issuer is a certificate authority for tests.
type issuer struct {
	t           testing.TB
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string // PEM file with the certificate of the authority
	serial      int64
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	i := &issuer{t: t, file: filepath.Join(t.TempDir(), "ca.pem"), serial: 1}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, NotBefore: time.Now().Add(-48 * time.Hour),
		NotAfter: time.Now().Add(48 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	i.key = newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, template, &i.key.PublicKey, i.key)
	if err == nil {
		i.certificate, err = x509.ParseCertificate(der)
	}
	if err != nil {
		t.Fatal(err)
	}
	writePEM(t, i.file, "CERTIFICATE", der)
	return i
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func writePEM(t testing.TB, file, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// issue writes a certificate for 127.0.0.1 that ends after some time, and its key, and returns the settings for them.
// Each certificate has another serial number.
func (i *issuer) issue(folder string, lifetime time.Duration) []string {
	i.t.Helper()
	i.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(i.serial), Subject: pkix.Name{CommonName: "svc"}, NotBefore: time.Now().Add(-47 * time.Hour),
		NotAfter: time.Now().Add(lifetime), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}
	key := newKey(i.t)
	der, err := x509.CreateCertificate(rand.Reader, template, i.certificate, &key.PublicKey, i.key)
	if err != nil {
		i.t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		i.t.Fatal(err)
	}
	certificate, private := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	writePEM(i.t, certificate, "CERTIFICATE", der)
	writePEM(i.t, private, "PRIVATE KEY", raw)
	return []string{"SVC_TLS_CERT=" + certificate, "SVC_TLS_KEY=" + private}
}

// trust returns settings of TLS that trust the authority and nobody else.
func (i *issuer) trust() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(i.certificate)
	return &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"}
}

// client returns a client that trusts the authority and speaks HTTP/2 if the server does.
func (i *issuer) client() *http.Client {
	transport := &http.Transport{TLSClientConfig: i.trust(), ForceAttemptHTTP2: true}
	i.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// served returns the serial number of the certificate that a server presents now.
func (i *issuer) served(address string) int64 {
	i.t.Helper()
	conn, err := tls.Dial("tcp", address, i.trust())
	if err != nil {
		i.t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}
