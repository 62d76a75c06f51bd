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

// hostKeys reads the host keys of the server, and creates the missing ones.
func hostKeys(folder string) ([]ssh.Signer, error) {
	var keys []ssh.Signer
	for _, kind := range []struct {
		name string
		make func() (crypto.PrivateKey, error)
	}{
		{"ssh_host_ed25519_key", func() (crypto.PrivateKey, error) { _, key, err := ed25519.GenerateKey(rand.Reader); return key, err }},
		{"ssh_host_ecdsa_key", func() (crypto.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }},
	} {
		path := filepath.Join(folder, kind.name)
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			text, err = makeKey(path, kind.make)
		}
		if err != nil {
			return nil, fmt.Errorf("the host key: %w", err)
		}
		key, err := ssh.ParsePrivateKey(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; restore the key from a backup, or remove the file to generate a new one", path, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// makeKey creates a key and its file. The file never exists incomplete.
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
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // with mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return nil, err
	}
	return text, os.Rename(file.Name(), path)
}
