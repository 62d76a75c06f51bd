package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"svc/server/config"
	"svc/store/secret"
)

const keyFile = "secret.key"

// setKey fills the key that seals what is stored and read again in from the data folder, where it is no setting; the first
// start makes it up. The caller holds the folder's lock. It returns a sentence for who starts several processes.
func setKey(cfg *config.Config) (note string, err error) {
	if cfg.SecretKey != "" {
		return "", nil
	}
	path := filepath.Join(cfg.Data, keyFile)
	if cfg.SecretKey, err = keyIn(path); err != nil {
		return "", err
	}
	if cfg.DatabaseURL != "" {
		note = fmt.Sprintf("The secret key is in %s. Several processes on one database need the same: give it to all of them as SVC_SECRET_KEY.\n", path)
	}
	return note, nil
}

// keyIn reads the key from its file, which it writes where there is none.
func keyIn(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		key := secret.Random()
		return key, writeKey(path, key)
	}
	if err != nil {
		return "", fmt.Errorf("read the secret key: %w", err)
	}
	key := strings.TrimSpace(string(text))
	if len(key) < secret.MinKey {
		return "", fmt.Errorf("%s holds fewer than %d characters; put the key back from a backup, or give it with --secret-key", path, secret.MinKey)
	}
	return key, nil
}

// writeKey puts the file there as a whole, and on the disk before anything is sealed with it.
func writeKey(path, key string) error {
	folder := filepath.Dir(path)
	fail := func(err error) error { return fmt.Errorf("keep the secret key: %w", err) }
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
