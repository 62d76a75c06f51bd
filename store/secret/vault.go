package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// MinKey is the minimum length of the instance's secret key.
const MinKey = 32

// sealedBy is the first byte of sealed data, so that another format can be recognised later.
const sealedBy = 1

// Vault encrypts secrets that must be read again, with a key that is not in the database.
type Vault struct{ aead cipher.AEAD }

// NewVault derives a key for one purpose from the instance's secret key: AES-256-GCM, HKDF of RFC 5869 with SHA-256.
func NewVault(key, purpose string) (Vault, error) {
	if len(key) < MinKey {
		return Vault{}, fmt.Errorf("the secret key must have at least %d characters", MinKey)
	}
	derived, err := hkdf.Key(sha256.New, []byte(key), nil, "svc "+purpose, 32)
	if err != nil {
		return Vault{}, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return Vault{}, err
	}
	aead, err := cipher.NewGCM(block)
	return Vault{aead}, err
}

// Seal encrypts a secret for an owner. It cannot be decrypted for another owner.
func (v Vault) Seal(plain []byte, owner string) []byte {
	sealed := make([]byte, 1+v.aead.NonceSize(), 1+v.aead.NonceSize()+len(plain)+v.aead.Overhead())
	sealed[0] = sealedBy
	nonce := sealed[1:]
	rand.Read(nonce) // never fails
	return v.aead.Seal(sealed, nonce, plain, []byte(owner))
}

// SealSame does the same as Seal, but gives the same bytes for the same secret and owner, so that test data is always the
// same. Who reads two sealed secrets learns whether they are equal.
func (v Vault) SealSame(plain []byte, owner string) []byte {
	sum := sha256.Sum256(append([]byte(owner+"\x00"), plain...))
	sealed := append([]byte{sealedBy}, sum[:v.aead.NonceSize()]...)
	return v.aead.Seal(sealed, sealed[1:], plain, []byte(owner))
}

// ErrSealed is returned for data that cannot be decrypted.
var ErrSealed = errors.New("the data was encrypted with another secret key or for another owner")

// Open decrypts a secret that was sealed for an owner.
func (v Vault) Open(sealed []byte, owner string) ([]byte, error) {
	size := 1 + v.aead.NonceSize()
	if len(sealed) < size || sealed[0] != sealedBy {
		return nil, errors.New("the data was not encrypted by this service")
	}
	plain, err := v.aead.Open(nil, sealed[1:size], sealed[size:], []byte(owner))
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}
