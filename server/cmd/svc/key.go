package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"svc/oauth"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const keyFile = "secret.key"

// setKey reads the key that encrypts stored secrets from the data folder, unless the settings contain it. The first
// start generates it. setKey returns an error if the key is lost, or is not the one that secrets were encrypted with.
// The caller holds the folder's lock. The returned note is for people who run several processes.
func setKey(ctx context.Context, cfg *config.Config, st *store.Store) (note string, err error) {
	path, from := filepath.Join(cfg.Data, keyFile), "the secret key in the settings"
	if cfg.SecretKey == "" {
		if err := finishRotation(ctx, path, st); err != nil {
			return "", err
		}
		if cfg.SecretKey, err = readKey(path); err != nil {
			return "", err
		}
		from = path
		if cfg.DatabaseURL != "" {
			note = fmt.Sprintf(
				"The secret key is in %s. All processes on one database need the same key: pass it to each of them as SVC_SECRET_KEY.\n",
				path,
			)
		}
	}
	return note, st.Exclusive(ctx, "secret key", func(ctx context.Context) error {
		instance, err := st.Instance.Get(ctx)
		if err != nil {
			return err
		}
		known, err := keyVerifier(ctx, st, instance)
		switch {
		case err != nil:
			return err
		case cfg.SecretKey == "" && known != nil:
			return fmt.Errorf("%s does not exist, but secrets in the database are encrypted with it. %s", path, keyAdvice)
		case cfg.SecretKey == "":
			cfg.SecretKey = secret.Random()
			if err := writeKey(path, cfg.SecretKey); err != nil {
				return err
			}
		case known != nil && !known(cfg.SecretKey):
			return fmt.Errorf("%s is not the key that the secrets in the database are encrypted with. %s", from, keyAdvice)
		}
		if instance.KeyCheck != nil {
			return nil
		}
		vault, err := secret.NewVault(cfg.SecretKey, keyPurpose)
		if err != nil {
			return err
		}
		return st.Instance.Set(ctx, map[string]any{"key_check": vault.Seal([]byte(keyPurpose), instance.ID)})
	})
}

const (
	keyPurpose = secret.InstancePurpose
	keyAdvice  = "Restore the file from a backup, or pass the key as SVC_SECRET_KEY. All processes on one database need the same key. " +
		"If the key is lost, svc admin replace-secret-key removes everything that was encrypted with it, " +
		"and the next start uses the key that it finds, or generates a new one."
)

// keyVerifier returns a function that recognizes the key of the instance, or nil if nothing is encrypted yet. A database
// of an older version has no key check, but may have encrypted keys that sign ID tokens. If it only has other secrets,
// any key is accepted.
func keyVerifier(ctx context.Context, st *store.Store, instance model.Instance) (func(key string) bool, error) {
	if instance.KeyCheck != nil {
		return func(key string) bool { return opens(key, keyPurpose, instance.KeyCheck, instance.ID) }, nil
	}
	rows, err := st.OAuthKeys.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		return func(key string) bool { return opens(key, oauth.KeyPurpose, rows[0].Sealed, rows[0].Kid) }, nil
	}
	sealed, err := st.Instance.HasSealed(ctx)
	if err != nil || !sealed {
		return nil, err
	}
	return func(string) bool { return true }, nil
}

func opens(key, purpose string, sealed []byte, owner string) bool {
	vault, err := secret.NewVault(key, purpose)
	if err != nil {
		return false
	}
	_, err = vault.Open(sealed, owner)
	return err == nil
}

// readKey reads the key from its file. It returns an empty text if there is no file.
func readKey(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the secret key: %w", err)
	}
	key := strings.TrimSpace(string(text))
	if len(key) < secret.MinKey {
		return "", fmt.Errorf(
			"%s contains fewer than %d characters; restore the key from a backup, or pass it with --secret-key",
			path, secret.MinKey,
		)
	}
	return key, nil
}

// writeKey writes the file atomically, and syncs it to disk before anything is encrypted with the key.
func writeKey(path, key string) error {
	folder := filepath.Dir(path)
	fail := func(err error) error { return fmt.Errorf("store the secret key: %w", err) }
	file, err := os.CreateTemp(folder, keyFile+".*") // with mode 0600
	if err != nil {
		return fail(err)
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(key + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fail(err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fail(err)
	}
	dir, err := os.Open(folder)
	if err != nil {
		return fail(err)
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return fail(err)
	}
	return nil
}
