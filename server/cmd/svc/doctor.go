package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"svc/server"
	"svc/server/domain/doctor"
	"svc/server/platform/config"
	"svc/server/transport/gitssh"
	"svc/store"
)

const doctorUsage = `svc doctor checks an installation, says what is wrong and how to repair it. The service may be running.

  svc doctor [--deep] [--fix] [--only NAMES] [--json]

  --deep         check all content: git fsck of every repository, the digests of LFS objects, the whole database file
  --fix          fix what is safe to fix, and say what was done
  --only NAMES   run only these checks, separated by commas, and those that they need
  --json         print JSON

The exit status is 0 if there is no problem (or all were fixed), 1 if there are problems, 2 if not everything could be
checked. The settings of svc serve select the instance; svc serve --help lists them. The checks:

`

// doctorFlags are the flags of svc doctor, in addition to the settings.
type doctorFlags struct {
	deep, fix, json bool
	only            string
}

func (f *doctorFlags) add(set *flag.FlagSet) {
	set.BoolVar(&f.deep, "deep", false, "")
	set.BoolVar(&f.fix, "fix", false, "")
	set.BoolVar(&f.json, "json", false, "")
	set.StringVar(&f.only, "only", "", "")
}

// runDoctor runs svc doctor.
func runDoctor(ctx context.Context, args []string, out io.Writer) error {
	var f doctorFlags
	e, err := config.Explain(args, os.Environ(), f.add)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, doctorUsage+doctor.Describe())
		return err
	}
	if err != nil {
		return exitError{2, err}
	}
	show := doctorOutput{out: out, json: f.json, terminal: isTerminal(os.Stderr)}
	report, err := doctor.Run(ctx, doctorOptions(f, e, show.progress), show.result)
	if err == nil {
		err = show.end(report)
	}
	if err != nil {
		return exitError{2, err}
	}
	if status := report.ExitStatus(); status != 0 {
		return exitError{status, errors.New(summary(report))}
	}
	return nil
}

// doctorOptions returns what the checks need from this program.
func doctorOptions(f doctorFlags, e config.Explanation, progress func(string)) doctor.Options {
	cfg := e.Config
	return doctor.Options{
		Config: cfg, Mistakes: e.Mistakes, Warnings: e.Warnings, Deep: f.deep, Fix: f.fix,
		Only:       strings.FieldsFunc(f.only, func(r rune) bool { return r == ',' || r == ' ' }),
		BlobFolder: server.BlobFolder(cfg), KeyFile: filepath.Join(cfg.Data, keyFile), Running: isLocked(cfg.Data),
		Open: func(ctx context.Context) (*store.Store, error) {
			if cfg.DatabaseURL == "" && missing(database(cfg)) {
				return nil, fmt.Errorf("there is no instance in %s: %s does not exist", cfg.Data, database(cfg))
			}
			return openStore(ctx, cfg)
		},
		CheckKey: func(ctx context.Context, st *store.Store) (string, string, error) { return checkKey(ctx, cfg, st) },
		HostKeys: func() (map[string]string, []string, error) { return gitssh.ReadHostKeys(cfg.Data) },
		SharedHostKeys: func(ctx context.Context, st *store.Store) (map[string]string, error) {
			return sharedHostKeys(ctx, cfg, st)
		},
		Ask: func(ctx context.Context, path string) (int, string, error) { return ask(ctx, cfg, path) },
		Now: time.Now, Progress: progress,
	}
}

// checkKey returns what is wrong with the secret key, and how to repair it.
func checkKey(ctx context.Context, cfg config.Config, st *store.Store) (problem, repair string, err error) {
	path, key, from := filepath.Join(cfg.Data, keyFile), cfg.SecretKey, "the secret key in the settings"
	if key == "" {
		from = path
		if key, err = readKey(path); err != nil {
			return err.Error(), keyAdvice, nil //nolint:nilerr // the finding reports it
		}
	}
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return "", "", err
	}
	known, err := keyVerifier(ctx, st, instance)
	switch {
	case err != nil || known == nil:
		return "", "", err
	case key == "":
		return path + " does not exist, but secrets in the database are encrypted with it", keyAdvice, nil
	case known(key):
		return "", "", nil
	}
	fresh, err := readKey(path + newKeySuffix)
	if err == nil && cfg.SecretKey == "" && fresh != "" && known(fresh) {
		return "a rotation of the secret key was interrupted", "Start svc serve, or run svc admin rotate-secret-key: both finish it.", nil
	}
	return from + " is not the key that the secrets in the database are encrypted with", keyAdvice, nil
}

// sharedHostKeys returns the fingerprints of the host keys that the processes of an instance share. Without a secret
// key, which another check reports, it returns none.
func sharedHostKeys(ctx context.Context, cfg config.Config, st *store.Store) (map[string]string, error) {
	key := cfg.SecretKey
	if !st.Postgres() { // the keys in the data folder count
		return nil, nil
	}
	if key == "" {
		var err error
		if key, err = readKey(filepath.Join(cfg.Data, keyFile)); err != nil || key == "" {
			return nil, nil //nolint:nilerr // the check of the secret key reports it
		}
	}
	shared, err := gitssh.NewSharedKeys(st, key)
	if err != nil {
		return nil, err
	}
	return shared.Fingerprints(ctx)
}

// isLocked reports whether a process of the service uses a data folder.
func isLocked(folder string) bool {
	f, err := os.Open(filepath.Join(folder, lockFile))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// isTerminal reports whether a person sees what is written to a file.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
