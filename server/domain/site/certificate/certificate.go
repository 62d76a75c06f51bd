// Package certificate parses the certificates that users upload for their sites.
package certificate

import (
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"
	"time"
)

// The messages about an invalid certificate or key.
const (
	NoCertificate = "must be a valid PEM certificate"
	NoKey         = "must be a valid PEM private key"
	OtherKey      = "doesn't match the certificate"
	Incomplete    = "misses intermediates"
)

const (
	maxChain = 10
	maxSize  = 64 << 10
)

// Chain is a certificate and its issuers, the nearest first.
type Chain []*x509.Certificate

// Read parses a certificate with its chain and its key, and returns what is wrong with each of them.
func Read(certificate, key string) (chain Chain, wrong map[string][]string) {
	wrong = map[string][]string{}
	chain, err := Parse(certificate)
	if err != nil {
		wrong["certificate"] = append(wrong["certificate"], NoCertificate)
	}
	if !isKey(key) {
		wrong["key"] = append(wrong["key"], NoKey)
	}
	if err != nil || len(wrong["key"]) > 0 {
		wrong["key"] = append(wrong["key"], OtherKey)
	} else if _, err := tls.X509KeyPair([]byte(certificate), []byte(key)); err != nil {
		wrong["key"] = append(wrong["key"], OtherKey)
	}
	if err == nil && !chain.complete() {
		wrong["certificate"] = append(wrong["certificate"], Incomplete)
	}
	if len(wrong) == 0 {
		return chain, nil
	}
	return nil, wrong
}

// Parse parses PEM certificates.
func Parse(text string) (Chain, error) {
	if len(text) > maxSize {
		return nil, fmt.Errorf("more than %d bytes", maxSize)
	}
	var chain Chain
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			if len(strings.TrimSpace(string(rest))) > 0 || len(chain) == 0 {
				return nil, fmt.Errorf("not PEM")
			}
			return chain, nil
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil || block.Type != "CERTIFICATE" || len(chain) == maxChain {
			return nil, fmt.Errorf("not a chain of certificates")
		}
		chain = append(chain, c)
	}
}

// isKey reports whether a text is a private key.
func isKey(text string) bool {
	block, _ := pem.Decode([]byte(text))
	if block == nil || len(text) > maxSize {
		return false
	}
	var key crypto.PrivateKey
	var err error
	if key, err = x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		return key != nil
	}
	if _, err = x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return true
	}
	_, err = x509.ParseECPrivateKey(block.Bytes)
	return err == nil
}

// complete reports whether each certificate is signed by the next, up to one that is self-signed or that this machine
// trusts. It ignores expiry.
func (c Chain) complete() bool {
	for i := 0; i+1 < len(c); i++ {
		if c[i].CheckSignatureFrom(c[i+1]) != nil {
			return false
		}
	}
	last := c[len(c)-1]
	if last.CheckSignature(last.SignatureAlgorithm, last.RawTBSCertificate, last.Signature) == nil {
		return true
	}
	_, err := last.Verify(
		x509.VerifyOptions{CurrentTime: last.NotBefore.Add(time.Second), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}},
	)
	return err == nil
}

// Subject returns the subject of the certificate, as /C=…/CN=….
func (c Chain) Subject() string {
	var b strings.Builder
	for _, one := range c[0].Subject.Names {
		name, known := names[one.Type.String()]
		if !known {
			name = one.Type.String()
		}
		fmt.Fprintf(&b, "/%s=%v", name, one.Value)
	}
	return b.String()
}

var names = map[string]string{
	"2.5.4.3": "CN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.9": "street",
	"2.5.4.10": "O", "2.5.4.11": "OU",
	"1.2.840.113549.1.9.1": "emailAddress", "0.9.2342.19200300.100.1.25": "DC",
}

// Until returns when the certificate expires.
func (c Chain) Until() time.Time { return c[0].NotAfter.UTC() }

// Text returns the certificate in readable form.
func (c Chain) Text() string {
	one := c[0]
	var b strings.Builder
	fmt.Fprintf(
		&b, "Certificate:\n    Version: %d\n    Serial Number: %x\n    Signature Algorithm: %s\n    Issuer: %s\n",
		one.Version, one.SerialNumber, one.SignatureAlgorithm, one.Issuer,
	)
	fmt.Fprintf(
		&b, "    Validity\n        Not Before: %s\n        Not After : %s\n    Subject: %s\n",
		one.NotBefore.UTC().Format(readable), one.NotAfter.UTC().Format(readable), one.Subject,
	)
	fmt.Fprintf(&b, "    Public Key Algorithm: %s\n", one.PublicKeyAlgorithm)
	var other []string
	for _, name := range one.DNSNames {
		other = append(other, "DNS:"+name)
	}
	for _, address := range one.IPAddresses {
		other = append(other, "IP Address:"+address.String())
	}
	if len(other) > 0 {
		fmt.Fprintf(&b, "    Subject Alternative Name: %s\n", strings.Join(other, ", "))
	}
	return b.String()
}

const readable = "Jan _2 15:04:05 2006 GMT"
