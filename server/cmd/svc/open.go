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

	"svc/server"
	"svc/server/domain/auditstream"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/storage"
)

// settings reads the configuration. With --help, it prints all settings.
func settings(args []string, out io.Writer, about string) (config.Config, error) {
	cfg, err := config.Load(args, os.Environ())
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, settingsUsage(about))
		return cfg, err
	}
	if err != nil {
		return cfg, fmt.Errorf("these settings are invalid:\n%w", err)
	}
	warn(os.Stderr)
	return cfg, nil
}

// warn prints a warning for each environment variable that looks like a setting but is none.
func warn(out io.Writer) {
	for _, text := range config.Unknown(os.Environ()) {
		fmt.Fprintln(out, "svc: warning: "+text)
	}
}

// database returns the path of the SQLite file.
func database(cfg config.Config) string { return filepath.Join(cfg.Data, "svc.db") }

// openStore connects to the configured database.
func openStore(ctx context.Context, cfg config.Config) (*store.Store, error) {
	if cfg.DatabaseURL == "" {
		if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
			return nil, fmt.Errorf("create the data folder: %w", err)
		}
	}
	st, err := store.Open(ctx, store.Options{
		URL:        cfg.DatabaseURL,
		SQLitePath: database(cfg),
		SQLiteFull: cfg.SQLiteSync == "full",
		Pool:       cfg.DatabasePool,

		StatementTimeout: cfg.StatementTimeout,
		LockTimeout:      cfg.LockTimeout,

		Clock: clockOf(cfg),
	})
	if err != nil {
		return nil, err
	}
	// Audit events of commands wait for the stream, too; svc serve delivers them.
	if targets := auditstream.Targets(cfg.AuditFile, cfg.AuditURL); len(targets) > 0 {
		st.AuditStreams.Begin(targets, func() {})
	}
	return st, nil
}

// clockOf returns a clock for an instance that begins with test data, which sets the times of its rows. Others run by the
// system time.
func clockOf(cfg config.Config) *clock.Clock {
	if cfg.Seed == 0 && cfg.Fixtures == "" {
		return nil
	}
	return &clock.Clock{}
}

// openInstance opens the database of an existing instance and migrates it to this version's schema. It never creates an
// instance.
func openInstance(ctx context.Context, cfg config.Config) (*store.Store, error) {
	if cfg.DatabaseURL == "" && missing(database(cfg)) {
		return nil, fmt.Errorf("there is no instance in %s: %s does not exist. Set the folder of the instance with --data or SVC_DATA; "+
			"svc serve creates a new instance at its first start", cfg.Data, database(cfg))
	}
	st, err := openStore(ctx, cfg)
	if err != nil {
		return nil, err
	}
	err = st.CheckSchema(ctx)
	if errors.Is(err, store.ErrNoSchema) {
		err = errors.New("there is no instance in this database: it is empty. svc serve creates a new instance at its first start")
	}
	if err == nil {
		_, err = st.Migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(explainMigration(err), st.Close())
	}
	found, err := st.Users.Any(ctx)
	if err == nil && !found {
		err = errors.New("this instance has no administrator yet: start svc serve once to create one")
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// openMigrated opens the database and migrates it to this version's schema. It returns the migrations that it applied.
// An empty database gets all tables, unless repositories exist already: they belong to another database.
func openMigrated(ctx context.Context, cfg config.Config) (*store.Store, []int64, error) {
	if cfg.DatabaseURL == "" && missing(database(cfg)) {
		if err := checkNoRepositories(cfg, database(cfg)+" does not exist or is empty"); err != nil {
			return nil, nil, err
		}
	}
	st, err := openStore(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	if err := st.CheckSchema(ctx); errors.Is(err, store.ErrNoSchema) {
		if err := checkNoRepositories(cfg, "the database is empty"); err != nil {
			return nil, nil, errors.Join(err, st.Close())
		}
	}
	applied, err := st.Migrate(ctx)
	if err != nil {
		return nil, nil, errors.Join(explainMigration(err), st.Close())
	}
	return st, applied, nil
}

// missing reports whether a file does not exist or is empty.
func missing(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0
}

// checkNoRepositories returns an error if the storages hold repositories of another instance, so that no new instance starts there.
func checkNoRepositories(cfg config.Config, why string) error {
	var used []string
	for _, folder := range server.Folders(cfg) {
		id, err := storage.Read(folder)
		if err != nil {
			return fmt.Errorf("read %s: %w", folder, err)
		}
		found, err := storage.Holds(folder, git.Folders...)
		if err != nil {
			return fmt.Errorf("read %s: %w", folder, err)
		}
		if id != "" || found {
			used = append(used, folder)
		}
	}
	if len(used) == 0 {
		return nil
	}
	verb := "contains"
	if len(used) > 1 {
		verb = "contain"
	}
	text := fmt.Sprintf("%s, but %s %s files of an instance. Restore the database from a backup, or set the right one. "+
		"To start a new instance without these files, move them away first:", why, strings.Join(used, " and "), verb)
	for _, folder := range used {
		text += fmt.Sprintf("\n  mv %s %s.old", folder, folder)
	}
	return errors.New(text)
}

// explainMigration adds advice to the error of a migration.
func explainMigration(err error) error {
	var newer *store.NewerSchemaError
	if errors.As(err, &newer) {
		return fmt.Errorf("%w. This is svc %s: start the newer version, or restore the database from before that version was started",
			err, build.Read().Version)
	}
	return err
}

const migrateAbout = "svc migrate updates the database to the schema of this version."

// migrate runs svc migrate.
func migrate(ctx context.Context, args []string, out io.Writer) error {
	cfg, err := settings(args, out, migrateAbout)
	if err != nil {
		return err
	}
	st, applied, err := openMigrated(ctx, cfg)
	if err != nil {
		return err
	}
	defer st.Close()
	_, err = fmt.Fprintf(out, "The database is up to date (%d migrations applied now).\n", len(applied))
	return err
}
