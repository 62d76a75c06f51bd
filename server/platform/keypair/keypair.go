// Package keypair reads a certificate with its private key from two PEM files, which may be replaced while the service
// runs.
package keypair

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

// Files is a certificate that was read from files. The zero value has none.
type Files struct {
	mu      sync.Mutex
	current *tls.Certificate
	stamp   string // names, times and sizes of the files that it was read from
}

// Load reads the certificate, if its files have changed. It reports whether there is a new one. After an error the old
// certificate stays.
func (f *Files) Load(certificate, key string) (changed bool, err error) {
	if certificate == "" {
		return false, nil
	}
	stamp := ""
	for _, file := range []string{certificate, key} {
		info, err := os.Stat(file)
		if err != nil {
			return false, err
		}
		stamp += fmt.Sprint(file, " ", info.ModTime().UnixNano(), " ", info.Size(), " ")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if stamp == f.stamp {
		return false, nil
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return false, fmt.Errorf("%s and %s: %w", certificate, key, err)
	}
	f.current, f.stamp = &pair, stamp
	return true, nil
}

// Get returns the certificate; nil if there is none.
func (f *Files) Get() *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current
}

// soon is how long before its end people are warned about a certificate.
const soon = 14 * 24 * time.Hour

// Warning says what people should know about a certificate for a host, in one sentence; empty if everything is right.
func Warning(pair *tls.Certificate, host string, now time.Time) string {
	leaf := pair.Leaf
	switch {
	case leaf == nil:
		return ""
	case now.After(leaf.NotAfter):
		return "the certificate has expired"
	case now.Before(leaf.NotBefore):
		return "the certificate is not valid yet"
	case leaf.NotAfter.Sub(now) < min(soon, leaf.NotAfter.Sub(leaf.NotBefore)/3):
		return "the certificate expires soon"
	case leaf.VerifyHostname(host) != nil:
		return "the certificate is not for the host of the URL"
	}
	return ""
}
