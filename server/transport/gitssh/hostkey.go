package gitssh

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// ReadHostKeys returns the fingerprints of the host keys in a folder, by their files, and the files that do not exist. It
// creates none.
func ReadHostKeys(folder string) (found map[string]string, missing []string, err error) {
	found = map[string]string{}
	for _, kind := range keyKinds {
		path := filepath.Join(folder, kind.name)
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, path)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("the host key: %w", err)
		}
		key, err := ssh.ParsePrivateKey(text)
		if err != nil {
			return nil, nil, fmt.Errorf("the host key %s cannot be read: %w", path, err)
		}
		found[path] = ssh.FingerprintSHA256(key.PublicKey())
	}
	return found, missing, nil
}

// keyKind is a kind of host key: the name of its file, and how a key is generated.
type keyKind struct {
	name     string
	generate func() (crypto.PrivateKey, error)
}

// keyKinds are the host keys that a server has.
var keyKinds = []keyKind{
	{"ssh_host_ed25519_key", func() (crypto.PrivateKey, error) { _, key, err := ed25519.GenerateKey(rand.Reader); return key, err }},
	{"ssh_host_ecdsa_key", func() (crypto.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }},
}

// hostKeys reads the host keys of the server, and creates the missing ones.
func hostKeys(folder string) ([]ssh.Signer, error) {
	var keys []ssh.Signer
	for _, kind := range keyKinds {
		path := filepath.Join(folder, kind.name)
		text, err := readOrMakeKey(path, kind)
		if err != nil {
			return nil, err
		}
		key, err := ssh.ParsePrivateKey(text)
		if err != nil {
			return nil, invalidKey(path, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func invalidKey(path string, err error) error {
	return fmt.Errorf("%s: %w; restore the key from a backup, or remove the file to generate a new one", path, err)
}

// readOrMakeKey returns the content of the file of a key. It creates the file if there is none.
func readOrMakeKey(path string, kind keyKind) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeKey(path, kind.generate)
	}
	if err != nil {
		return nil, fmt.Errorf("the host key: %w", err)
	}
	return text, nil
}

// makeKey creates a key and its file.
func makeKey(path string, generate func() (crypto.PrivateKey, error)) ([]byte, error) {
	key, err := generate()
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(key, "svc")
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(block)
	return text, writeKey(path, text)
}

// writeKey writes the file of a key. The file never exists incomplete.
func writeKey(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
