package oauth

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	keyBits = 2048
	// keyAge is how long a key signs. It is published twice as long, which is far longer than an ID token is valid.
	keyAge = 90 * 24 * time.Hour
	// keyCached is how long a process may miss a key that another process has made; both keys are valid.
	keyCached = time.Minute
)

// KeyPurpose is the purpose for which the keys that sign ID tokens are sealed.
const KeyPurpose = secret.SigningKeyPurpose

// keys manages the keys that sign ID tokens. The first one is made when it is needed, so that the start does not wait
// for it.
type keys struct {
	store *store.Store
	vault secret.Vault
	now   func() time.Time

	mu     sync.Mutex
	cached *signer
	until  time.Time
}

type signer struct {
	kid     string
	private *rsa.PrivateKey
}

// Sign makes a JSON Web Token of claims, with a key that the service publishes.
func (p *Provider) Sign(ctx context.Context, claims []byte) (string, error) {
	return p.keys.sign(ctx, claims)
}

// sign makes a JSON Web Token with RS256, RFC 7515 §7.1.
func (k *keys) sign(ctx context.Context, payload []byte) (string, error) {
	s, err := k.current(ctx)
	if err != nil {
		return "", err
	}
	header, err := json.Marshal(map[string]string{"typ": "JWT", "alg": "RS256", "kid": s.kid})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(payload)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, s.private, crypto.SHA256, sum[:])
	if err != nil {
		return "", err
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// current returns the key to sign with, and makes one if there is none. Concurrent callers wait for it.
func (k *keys) current(ctx context.Context) (*signer, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cached != nil && k.now().Before(k.until) {
		return k.cached, nil
	}
	rows, err := k.store.OAuthKeys.List(ctx)
	if err != nil {
		return nil, err
	}
	s := k.newest(rows)
	if s == nil {
		if s, err = k.make(ctx); err != nil {
			return nil, err
		}
	}
	k.cached, k.until = s, k.now().Add(keyCached)
	return s, nil
}

// newest returns the newest key that this process can decrypt and that is not too old. It skips a key that was sealed
// with another secret key: processes that have that key use it.
func (k *keys) newest(rows []model.OAuthKey) *signer {
	for _, row := range rows {
		if k.now().Sub(row.CreatedAt) > keyAge {
			continue
		}
		if s := k.open(row); s != nil {
			return s
		}
	}
	return nil
}

func (k *keys) open(row model.OAuthKey) *signer {
	der, err := k.vault.Open(row.Sealed, row.Kid)
	if err != nil {
		return nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil
	}
	private, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil
	}
	return &signer{row.Kid, private}
}

// make adds a key, unless another process was quicker, and returns the one that is stored.
func (k *keys) make(ctx context.Context) (*signer, error) {
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	kid := thumbprint(&private.PublicKey)
	row := model.OAuthKey{Kid: kid, Public: public, Sealed: k.vault.Seal(der, kid), CreatedAt: k.now().UTC().Truncate(time.Microsecond)}
	err = k.store.OAuthKeys.Replace(ctx, row, func(rows []model.OAuthKey) bool { return k.newest(rows) == nil })
	if err != nil {
		return nil, err
	}
	rows, err := k.store.OAuthKeys.List(ctx)
	if err != nil {
		return nil, err
	}
	if s := k.newest(rows); s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("the key %s was stored but cannot be found", kid)
}

// rotate makes the first key, or the next one when the newest is old, and deletes keys that stopped signing long ago.
func (k *keys) rotate(ctx context.Context) error {
	if _, err := k.current(ctx); err != nil {
		return err
	}
	_, err := k.store.OAuthKeys.DeleteBefore(ctx, k.now().UTC().Add(-2*keyAge))
	return err
}

// jwk is a public key, RFC 7517. The first three members are in the order of RFC 7638 §3.2; the others follow.
type jwk struct {
	E   string `json:"e"`
	Kty string `json:"kty"`
	N   string `json:"n"`
	Kid string `json:"kid,omitempty"`
	Use string `json:"use,omitempty"`
	Alg string `json:"alg,omitempty"`
}

func publicJWK(key *rsa.PublicKey) jwk {
	enc := base64.RawURLEncoding.EncodeToString
	return jwk{Kty: "RSA", N: enc(key.N.Bytes()), E: enc(big.NewInt(int64(key.E)).Bytes())}
}

// thumbprint returns the id of a key, which is derived from the key, RFC 7638.
func thumbprint(key *rsa.PublicKey) string {
	data, _ := json.Marshal(publicJWK(key)) // strings only, so there is no error
	sum := sha256.Sum256(data)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// published returns the public keys that verify ID tokens.
func (k *keys) published(ctx context.Context) ([]jwk, error) {
	if _, err := k.current(ctx); err != nil { // makes the first key
		return nil, err
	}
	rows, err := k.store.OAuthKeys.List(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]jwk, 0, len(rows))
	for _, row := range rows {
		parsed, err := x509.ParsePKIXPublicKey(row.Public)
		if err != nil {
			return nil, fmt.Errorf("read the public key %s: %w", row.Kid, err)
		}
		key, ok := parsed.(*rsa.PublicKey)
		if !ok {
			continue
		}
		shown := publicJWK(key)
		shown.Kid, shown.Use, shown.Alg = row.Kid, "sig", "RS256"
		out = append(out, shown)
	}
	return out, nil
}
