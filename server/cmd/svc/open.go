package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"svc/server/config"
	"svc/store"
)

// settings reads the configuration; --help shows it all.
func settings(args []string, out io.Writer, about string) (config.Config, error) {
	cfg, err := config.Load(args, os.Environ())
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(out, about)
		config.Usage(out)
		return cfg, err
	}
	if err != nil {
		return cfg, fmt.Errorf("these settings are wrong:\n%w", err)
	}
	return cfg, nil
}

// openStore connects to the database of a configuration.
func openStore(ctx context.Context, cfg config.Config) (*store.Store, error) {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	return store.Open(ctx, store.Options{
		URL:        cfg.DatabaseURL,
		SQLitePath: filepath.Join(cfg.Data, "svc.db"),
		SQLiteFull: cfg.SQLiteSync == "full",
		Pool:       cfg.DatabasePool,
	})
}

// migrate is the command of that name.
func migrate(ctx context.Context, args []string, out io.Writer) error {
	cfg, err := settings(args, out, "svc migrate brings the database to this version's schema.")
	if err != nil {
		return err
	}
	st, err := openStore(ctx, cfg)
	if err != nil {
		return err
	}
	defer st.Close()
	applied, err := st.Migrate(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The database is up to date (%d migrations applied now).\n", len(applied))
	return err
}
