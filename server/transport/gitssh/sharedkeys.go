package gitssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"svc/store"
	"svc/store/secret"

	"golang.org/x/crypto/ssh"
)

// SharedKeys holds the host keys of an instance in its database, sealed with the secret key. Every process takes them
// from there, so that SSH clients meet the same keys everywhere.
type SharedKeys struct {
	store *store.Store
	vault secret.Vault
}

// NewSharedKeys returns the host keys in a database. key is the secret key of the instance.
func NewSharedKeys(st *store.Store, key string) (*SharedKeys, error) {
	vault, err := secret.NewVault(key, secret.HostKeyPurpose)
	return &SharedKeys{store: st, vault: vault}, err
}

// Fingerprints returns the fingerprints of the keys in the database by the names of their files.
func (k *SharedKeys) Fingerprints(ctx context.Context) (map[string]string, error) {
	stored, err := k.store.SSHHostKeys.All(ctx)
	if err != nil {
		return nil, err
	}
	prints := map[string]string{}
	for name, sealed := range stored {
		text, err := k.vault.Open(sealed, name)
		if err != nil {
			return nil, err
		}
		key, err := ssh.ParsePrivateKey(text)
		if err != nil {
			return nil, fmt.Errorf("the host key %s in the database: %w", name, err)
		}
		prints[name] = ssh.FingerprintSHA256(key.PublicKey())
	}
	return prints, nil
}

// share makes the host keys in a folder and in the database the same. The first process of an instance stores its keys;
// the others get copies. A folder with other keys is an error. Without a database, share does nothing. On SQLite, which
// serves one process, the keys in the folder count; the database may have keys of an instance that was on PostgreSQL.
func (k *SharedKeys) share(ctx context.Context, folder string) error {
	if k == nil {
		return nil
	}
	if !k.store.Postgres() {
		return k.takeMissing(ctx, folder)
	}
	return k.store.Exclusive(ctx, "ssh host keys", func(ctx context.Context) error {
		stored, err := k.store.SSHHostKeys.All(ctx)
		if err != nil {
			return err
		}
		for _, kind := range keyKinds {
			path := filepath.Join(folder, kind.name)
			if sealed, known := stored[kind.name]; known {
				err = k.take(path, sealed)
			} else {
				err = k.give(ctx, path, kind)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// takeMissing writes the keys in the database to a folder that has none.
func (k *SharedKeys) takeMissing(ctx context.Context, folder string) error {
	stored, err := k.store.SSHHostKeys.All(ctx)
	if err != nil {
		return err
	}
	for _, kind := range keyKinds {
		path := filepath.Join(folder, kind.name)
		sealed, known := stored[kind.name]
		if _, err := os.Stat(path); !known || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := k.take(path, sealed); err != nil {
			return err
		}
	}
	return nil
}

// give stores the key in a file, which is created if necessary, for the other processes.
func (k *SharedKeys) give(ctx context.Context, path string, kind keyKind) error {
	text, err := readOrMakeKey(path, kind)
	if err != nil {
		return err
	}
	if _, err := ssh.ParsePrivateKey(text); err != nil {
		return invalidKey(path, err)
	}
	return k.store.SSHHostKeys.Add(ctx, kind.name, k.vault.Seal(text, kind.name))
}

// take writes the key of the instance to a file, unless the file has it already.
func (k *SharedKeys) take(path string, sealed []byte) error {
	text, err := k.vault.Open(sealed, filepath.Base(path))
	if err != nil {
		return fmt.Errorf("open the host key %s in the database: %w", filepath.Base(path), err)
	}
	own, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeKey(path, text)
	}
	if err != nil {
		return fmt.Errorf("the host key: %w", err)
	}
	want, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return fmt.Errorf("the host key %s in the database: %w", filepath.Base(path), err)
	}
	have, err := ssh.ParsePrivateKey(own)
	if err != nil {
		return invalidKey(path, err)
	}
	if bytes.Equal(have.PublicKey().Marshal(), want.PublicKey().Marshal()) {
		return nil
	}
	return fmt.Errorf("%s has the host key %s, but the host key of this instance is %s. "+
		"All processes on one database need the same host keys. Remove the file: the next start writes the right key there. "+
		"To change the host keys of the instance, see svc admin replace-host-keys --help",
		path, ssh.FingerprintSHA256(have.PublicKey()), ssh.FingerprintSHA256(want.PublicKey()))
}
