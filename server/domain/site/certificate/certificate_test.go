package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// issued is a certificate with its key.
type issued struct {
	cert     *x509.Certificate
	key      *ecdsa.PrivateKey
	pem, raw string
}

// issue creates a certificate, signed by another or by itself.
func issue(t *testing.T, name string, by *issued, until time.Time) issued {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(17), Subject: pkix.Name{CommonName: name, Organization: []string{"Acme"}},
		NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return issued{
		cert, key, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
	}
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	soon := time.Now().Add(24 * time.Hour)
	root := issue(t, "root", nil, soon)
	middle := issue(t, "middle", &root, soon)
	leaf := issue(t, "www.example.com", &middle, soon)
	other := issue(t, "other", nil, soon)
	old := issue(t, "old.example.com", nil, time.Now().Add(-24*time.Hour))
	wrong := func(certificate, key []string) map[string][]string {
		w := map[string][]string{}
		if certificate != nil {
			w["certificate"] = certificate
		}
		if key != nil {
			w["key"] = key
		}
		return w
	}
	long := leaf.pem
	for range 100 {
		long += middle.pem
	}
	for name, c := range map[string]struct {
		certificate, key string
		want             map[string][]string
	}{
		"with its chain":           {leaf.pem + middle.pem + root.pem, leaf.raw, nil},
		"signed by itself":         {other.pem, other.raw, nil},
		"expired":                  {old.pem, old.raw, nil},
		"with no chain":            {leaf.pem, leaf.raw, wrong([]string{Incomplete}, nil)},
		"with half a chain":        {leaf.pem + middle.pem, leaf.raw, wrong([]string{Incomplete}, nil)},
		"with another chain":       {leaf.pem + other.pem, leaf.raw, wrong([]string{Incomplete}, nil)},
		"swapped":                  {leaf.raw, leaf.pem, wrong([]string{NoCertificate}, []string{NoKey, OtherKey})},
		"with another key":         {other.pem, leaf.raw, wrong(nil, []string{OtherKey})},
		"with no key":              {other.pem, "", wrong(nil, []string{NoKey, OtherKey})},
		"no PEM":                   {"hello", other.raw, wrong([]string{NoCertificate}, []string{OtherKey})},
		"with something behind it": {other.pem + "hello", other.raw, wrong([]string{NoCertificate}, []string{OtherKey})},
		"a hundred deep":           {long, leaf.raw, wrong([]string{NoCertificate}, []string{OtherKey})},
		"too large": {
			strings.Repeat("\n", maxSize) + other.pem, other.raw, wrong([]string{NoCertificate}, []string{OtherKey}),
		},
		"a key that is no key": {
			other.pem, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
			wrong(nil, []string{NoKey, OtherKey}),
		},
		"a certificate that is none": {
			"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", other.raw,
			wrong([]string{NoCertificate}, []string{OtherKey}),
		},
	} {
		_, got := Read(c.certificate, c.key)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	chain, _ := Read(leaf.pem+middle.pem+root.pem, leaf.raw)
	if chain.Subject() != "/O=Acme/CN=www.example.com" || !strings.Contains(chain.Text(), "DNS:www.example.com") ||
		!chain.Until().Equal(leaf.cert.NotAfter) {
		t.Errorf("%s %s", chain.Subject(), chain.Text())
	}
}
