package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc/store/secret"
)

// checkSecretKey checks that the secret key is the right one and that only its owner can read its file.
func (d *Doctor) checkSecretKey(ctx context.Context, r *Result) error {
	problem, repair, err := d.CheckKey(ctx, d.store)
	if err != nil {
		return err
	}
	if problem != "" {
		r.problem(repair, "%s", problem)
	}
	if d.Config.SecretKey != "" {
		r.Note = "the key is in the settings"
		return nil
	}
	r.Note = "the key is in " + d.KeyFile
	return d.checkPrivate(r, d.KeyFile)
}

// checkHostKeys checks the host keys, if the service offers git over SSH.
func (d *Doctor) checkHostKeys(ctx context.Context, r *Result) error {
	if d.Config.SSHListen == "" {
		r.Note = "git over SSH is off"
		return nil
	}
	found, missing, err := d.HostKeys()
	if err != nil {
		r.problem("Restore the file from a backup, or remove it: the next start generates a new key, and clients must accept it.",
			"%v", err)
		return nil
	}
	shared, err := d.sharedHostKeys(ctx, r)
	if err != nil {
		return err
	}
	for _, path := range missing {
		if shared[filepath.Base(path)] != "" {
			continue // the next start writes it
		}
		r.warn("Restore it from a backup. Otherwise the next start generates a new key, and clients must accept it.",
			"the host key %s does not exist", path)
	}
	var fingerprints []string
	for _, path := range slices.Sorted(maps.Keys(found)) {
		fingerprints = append(fingerprints, found[path])
		if want := shared[filepath.Base(path)]; want != "" && want != found[path] {
			r.problem("Remove the file: the next start writes the right key there. To change the keys of the instance: "+
				"svc admin replace-host-keys", "%s has the host key %s, but the host key of this instance is %s", path, found[path], want)
		}
		if err := d.checkPrivate(r, path); err != nil {
			return err
		}
	}
	r.Note = strings.Join(fingerprints, ", ")
	return nil
}

// sharedHostKeys returns the fingerprints of the host keys of the instance, if the database can be used.
func (d *Doctor) sharedHostKeys(ctx context.Context, r *Result) (map[string]string, error) {
	if d.store == nil {
		return nil, nil
	}
	shared, err := d.SharedHostKeys(ctx, d.store)
	if errors.Is(err, secret.ErrSealed) {
		r.problem("svc doctor --only secret-key says what is wrong with the key. If it is lost: svc admin replace-secret-key",
			"the host keys in the database cannot be decrypted with the secret key")
		return nil, nil
	}
	return shared, err
}

// checkPrivate checks that nobody but the owner can read a file.
func (d *Doctor) checkPrivate(r *Result, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another check reports it
	}
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	r.addFixable(
		Problem, fmt.Sprintf("other users of this machine can read %s (mode %04o)", path, info.Mode().Perm()), "chmod 600 "+path,
		func(context.Context) (string, error) {
			return "made " + path + " readable by its owner only", os.Chmod(path, 0o600)
		},
	)
	return nil
}
