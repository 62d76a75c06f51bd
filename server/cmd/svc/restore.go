package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"svc/server"
	"svc/server/domain/backup"
	"svc/server/platform/config"
	"svc/store"
)

const restoreUsage = `svc restore FILE reads a backup into a new instance: an empty database and empty storages, which the
settings of svc serve select. FILE may be "-" for standard input. A backup from SQLite can be restored into PostgreSQL,
and the other way round.

  --passphrase-file PATH  the passphrase of the backup, for the secret key
  --base PATH             the earlier backup that the backup was based on; repeat it for the ones before
  --check                 only read the backup and say whether it is complete
`

// restoreInstance runs svc restore.
func restoreInstance(ctx context.Context, args []string, out io.Writer) error {
	cfg, flags, file, err := backupSettings(args, out, restoreUsage)
	if err != nil {
		return err
	}
	from, err := openBackup(file)
	if err != nil {
		return err
	}
	defer from.Close()
	if flags.check {
		return checkBackup(from, out)
	}
	options := backup.RestoreOptions{Progress: showProgress(os.Stderr)}
	if options.Passphrase, err = flags.passphrase(); err != nil {
		return err
	}
	for _, path := range flags.bases {
		base, err := os.Open(path)
		if err != nil {
			return err
		}
		defer base.Close()
		options.Bases = append(options.Bases, base)
	}
	began := time.Now()
	restored, err := restoreInto(ctx, cfg, from, options)
	if err != nil {
		return err
	}
	return reportRestore(out, cfg, restored, time.Since(began))
}

func openBackup(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(file)
}

func checkBackup(from io.Reader, out io.Writer) error {
	m, totals, err := backup.Check(from)
	if err != nil {
		return err
	}
	return printLine(out, "The backup is complete: made %s by svc %s, %s.", m.CreatedAt.Format(time.RFC3339), m.Program, totalsText(totals))
}

// restoreInto restores a backup into the instance of the settings, which must be new. It reads the beginning of the backup
// before it writes anything.
func restoreInto(ctx context.Context, cfg config.Config, from io.Reader, o backup.RestoreOptions) (r backup.Restored, err error) {
	archive, err := backup.Open(from)
	if err != nil {
		return r, err
	}
	lock, err := lockData(cfg.Data)
	if err != nil {
		return r, err
	}
	defer lock.Close()
	st, err := openStore(ctx, cfg)
	if err != nil {
		return r, err
	}
	defer st.Close()
	if err := checkFits(archive, cfg, st, len(o.Bases)); err != nil {
		return r, err
	}
	full, err := hasInstance(ctx, st)
	if err != nil {
		return r, err
	}
	if !full {
		o.SaveKey = func(key string) error { return saveKey(cfg, key) }
		if r, err = fill(ctx, cfg, st, archive, o); err != nil {
			return r, err
		}
	} else if complete, err := server.RestoredAll(ctx, cfg, st); err != nil || !complete {
		return r, errors.Join(err, errNotEmpty)
	}
	if _, err := st.Migrate(ctx); err != nil {
		return r, err
	}
	if cfg.URLGiven() {
		if err := st.Instance.Set(ctx, map[string]any{"url": cfg.URL}); err != nil {
			return r, err
		}
	}
	return r, server.FinishRestore(ctx, cfg, st)
}

var errNotEmpty = errors.New("the database is not empty, and an existing instance is never overwritten. " +
	"Choose an empty database with --data or --database-url")

// checkFits returns an error if the backup cannot be restored with this program and these settings.
func checkFits(archive *backup.Archive, cfg config.Config, st *store.Store, bases int) error {
	newest, err := st.NewestSchema()
	if err != nil {
		return err
	}
	return archive.Fits(newest, slices.Collect(maps.Keys(cfg.Roots())), bases)
}

// fill restores the files and the rows. If it fails, it removes what it has written, unless the database may be full.
func fill(
	ctx context.Context, cfg config.Config, st *store.Store, archive *backup.Archive, o backup.RestoreOptions,
) (r backup.Restored, err error) {
	to, err := server.BeginRestore(ctx, cfg, st, archive.Manifest)
	if err != nil {
		return r, err
	}
	r, err = backup.Restore(ctx, to, archive, o)
	if err == nil {
		return r, nil
	}
	if full, broken := hasInstance(context.WithoutCancel(ctx), st); broken != nil || full {
		return r, err // the next svc restore finds out
	}
	return r, errors.Join(err, server.AbandonRestore(cfg))
}

// hasInstance reports whether the database has an instance. It returns an error for a database of another program.
func hasInstance(ctx context.Context, st *store.Store) (bool, error) {
	err := st.CheckSchema(ctx)
	if errors.Is(err, store.ErrNoSchema) {
		return false, nil
	}
	if err != nil {
		return false, explainMigration(err)
	}
	return st.HasUsers(ctx)
}

// saveKey stores the secret key of a backup, unless the settings have it.
func saveKey(cfg config.Config, key string) error {
	path := filepath.Join(cfg.Data, keyFile)
	known, place := cfg.SecretKey, "the settings"
	if known == "" {
		var err error
		if known, err = readKey(path); err != nil {
			return err
		}
		place = path
	}
	switch known {
	case key:
		return nil
	case "":
		return writeKey(path, key)
	}
	return fmt.Errorf("the secret key in %s is another one than that of the backup: remove it", place)
}

func reportRestore(out io.Writer, cfg config.Config, r backup.Restored, took time.Duration) error {
	if r.Manifest.ID == "" {
		return printLine(out, "An earlier svc restore had written everything; it is complete now. Start the instance with svc serve.")
	}
	fmt.Fprintf(out, "Restored the backup of %s by svc %s: %s in %s.\n",
		r.Manifest.CreatedAt.Format(time.RFC3339), r.Manifest.Program, totalsText(r.Totals), took.Round(100*time.Millisecond))
	for _, name := range r.Missing[:min(len(r.Missing), 10)] {
		fmt.Fprintln(out, "missing in the backup: "+name)
	}
	switch {
	case cfg.SecretKey != "" || r.KeyRestored || !missing(filepath.Join(cfg.Data, keyFile)):
	case r.KeyLeft:
		fmt.Fprintln(out, "The secret key is in the backup, but not restored: that needs --passphrase-file. Copy secret.key yourself.")
	default:
		fmt.Fprintf(out, "The backup has no secret key. Copy it to %s, or set SVC_SECRET_KEY, before the start.\n",
			filepath.Join(cfg.Data, keyFile))
	}
	return printLine(out, "Start the instance with svc serve and the same settings.")
}
