package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"svc/server/platform/config"
	"svc/store"
	"svc/store/secret"
)

// While a rotation runs, the new key is in a file of its own. The old key stays in another one afterwards.
const (
	newKeySuffix = ".new"
	oldKeySuffix = ".old"
)

// rotateKey runs svc admin rotate-secret-key. It can be repeated after an interruption at any point: the new key is on
// disk before the database changes, and svc serve takes it if the database has changed already.
func rotateKey(ctx context.Context, c adminCall) error {
	lock, err := lockData(c.cfg.Data) // a running server has the old key
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := refuseRunning(ctx, c.store); err != nil {
		return err
	}
	path := filepath.Join(c.cfg.Data, keyFile)
	old, inFile, err := currentKey(ctx, c.cfg, c.store, path)
	if err != nil {
		return err
	}
	fresh := c.newKey
	if fresh == "" {
		fresh = secret.Random()
	}
	if len(fresh) < secret.MinKey || fresh == old {
		return fmt.Errorf("--new-key must be another key of at least %d characters", secret.MinKey)
	}
	if err := writeKey(path+newKeySuffix, fresh); err != nil {
		return err
	}
	counts, err := c.store.Instance.Reseal(ctx, resealer(old, fresh))
	if err != nil { // perhaps the connection was lost after the database had committed: the file stays
		return fmt.Errorf("the secrets were not encrypted again: %w. Repeat the command; until then, keep %s", err, path+newKeySuffix)
	}
	if inFile {
		if err := finishRotation(ctx, path, c.store); err != nil {
			return err
		}
		return c.printRotation(counts, fresh, path, inFile)
	}
	return errors.Join(c.printRotation(counts, fresh, path, inFile), os.Remove(path+newKeySuffix))
}

// currentKey returns the key that secrets are sealed with, and whether it is in the data folder.
func currentKey(ctx context.Context, cfg config.Config, st *store.Store, path string) (key string, inFile bool, err error) {
	key = cfg.SecretKey
	if inFile = key == ""; inFile {
		if err := finishRotation(ctx, path, st); err != nil {
			return "", true, err
		}
		if key, err = readKey(path); err != nil {
			return "", true, err
		}
	}
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return "", inFile, err
	}
	switch {
	case instance.KeyCheck == nil:
		return "", inFile, errors.New("this version has not recorded the secret key of this instance yet: start svc serve once")
	case key == "" || !opens(key, keyPurpose, instance.KeyCheck, instance.ID):
		return "", inFile, fmt.Errorf("the current secret key is missing or is not the one that secrets are encrypted with. %s", keyAdvice)
	}
	return key, inFile, nil
}

// resealer returns a function that opens secrets with one key and seals them with another.
func resealer(old, fresh string) store.Reseal {
	return func(purpose, owner string, sealed []byte) ([]byte, error) {
		from, err := secret.NewVault(old, purpose)
		if err != nil {
			return nil, err
		}
		to, err := secret.NewVault(fresh, purpose)
		if err != nil {
			return nil, err
		}
		plain, err := from.Open(sealed, owner)
		if err != nil {
			return nil, err
		}
		return to.Seal(plain, owner), nil
	}
}

// finishRotation puts the new key of an interrupted rotation into its place, if the database is sealed with it, and
// removes it if not. The old key stays beside it.
func finishRotation(ctx context.Context, path string, st *store.Store) error {
	fresh, err := readKey(path + newKeySuffix)
	if err != nil || fresh == "" {
		return err
	}
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return err
	}
	if instance.KeyCheck == nil || !opens(fresh, keyPurpose, instance.KeyCheck, instance.ID) {
		return os.Remove(path + newKeySuffix) // the database was not changed
	}
	old, err := readKey(path)
	if err != nil {
		return err
	}
	if old != "" && old != fresh {
		if err := writeKey(path+oldKeySuffix, old); err != nil {
			return err
		}
	}
	if err := writeKey(path, fresh); err != nil {
		return err
	}
	return os.Remove(path + newKeySuffix)
}

// printRotation says what was changed, and what to do with the key.
func (c adminCall) printRotation(counts []store.ResealedSecrets, fresh, path string, inFile bool) error {
	if c.json {
		answer := map[string]any{"resealed": counts, "key_file": nil}
		if inFile {
			answer["key_file"] = path
		} else {
			answer["secret_key"] = fresh
		}
		return printJSON(c.out, answer)
	}
	var parts []string
	for _, one := range counts {
		parts = append(parts, fmt.Sprintf("%d %s", one.Count, one.Name))
	}
	if err := printLine(c.out, "Encrypted with the new key: %s.", strings.Join(parts, ", ")); err != nil {
		return err
	}
	if inFile {
		return printLine(c.out, "The new key is in %s, the old one in %s. Keep the old one only as long as you need backups from "+
			"before. Start the service again.", path, path+oldKeySuffix)
	}
	return printLine(c.out, "Set SVC_SECRET_KEY of all processes to the new key, then start them again:\n%s", fresh)
}
