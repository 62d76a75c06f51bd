package backup

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"svc/store/secret"

	"golang.org/x/crypto/argon2"
)

const (
	hostKeyPrefix = "keys/ssh_host_"
	secretKeyName = "keys/secret.json"
	sealPurpose   = "backup"
)

// sealedKey is the entry with the secret key, encrypted with a key that Argon2id derives from the passphrase.
type sealedKey struct {
	Salt   []byte `json:"salt"`
	Sealed []byte `json:"sealed"`
}

// keys writes the SSH host keys, and the secret key if there is a passphrase.
func (c *creation) keys() error {
	paths, err := filepath.Glob(filepath.Join(c.from.HostKeys, "ssh_host_*_key"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		key, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := c.out.addBytes("keys/"+filepath.Base(path), key); err != nil {
			return err
		}
	}
	if c.passphrase == "" || c.from.SecretKey == "" {
		return nil
	}
	sealed := sealedKey{Salt: make([]byte, 16)}
	rand.Read(sealed.Salt) // never fails
	vault, err := passphraseVault(c.passphrase, sealed.Salt)
	if err != nil {
		return err
	}
	sealed.Sealed = vault.Seal([]byte(c.from.SecretKey), sealPurpose)
	text, err := json.Marshal(sealed)
	if err != nil {
		return err
	}
	return c.out.addBytes(secretKeyName, text)
}

// passphraseVault returns the vault of a passphrase. Each guess costs an attacker 64 MiB of memory and some time.
func passphraseVault(passphrase string, salt []byte) (secret.Vault, error) {
	key := argon2.IDKey([]byte(passphrase), salt, 3, 64<<10, 1, 32)
	return secret.NewVault(hex.EncodeToString(key), sealPurpose)
}

// readKey restores a key.
func (r *restoration) readKey(name string, from io.Reader) error {
	content, err := io.ReadAll(io.LimitReader(from, 1<<20))
	if err != nil {
		return err
	}
	if name == secretKeyName {
		return r.openSecretKey(content)
	}
	base := strings.TrimPrefix(name, "keys/")
	if !strings.HasPrefix(name, hostKeyPrefix) || base != filepath.Base(base) {
		return fmt.Errorf("%q is not the name of a key", name)
	}
	place := filepath.Join(r.to.HostKeys, base)
	before, err := os.ReadFile(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.WriteFile(place, content, 0o600)
	case err == nil && !bytes.Equal(before, content):
		return fmt.Errorf("%s exists already, and is another key than that of the backup: move it away", place)
	}
	return err
}

// openSecretKey decrypts the secret key with the passphrase.
func (r *restoration) openSecretKey(content []byte) error {
	if r.options.Passphrase == "" {
		r.result.KeyLeft = true
		return nil
	}
	var sealed sealedKey
	if err := json.Unmarshal(content, &sealed); err != nil {
		return fmt.Errorf("read %s: %w", secretKeyName, err)
	}
	vault, err := passphraseVault(r.options.Passphrase, sealed.Salt)
	if err != nil {
		return err
	}
	key, err := vault.Open(sealed.Sealed, sealPurpose)
	if err != nil {
		return errors.New("the passphrase is wrong")
	}
	r.result.KeyRestored = true
	return r.options.SaveKey(string(key))
}
