package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"svc/server/domain/backup"
	"svc/server/platform/config"
	"svc/store"
)

//nolint:gosec // the URL in the text is an example
const moveDatabaseUsage = `svc migrate-database --to URL copies the database of an instance into an empty PostgreSQL database, and
svc migrate-database --to-data FOLDER copies it into an empty SQLite file in that folder. The settings of svc serve
select the instance, which must be stopped. Repositories and files stay where they are.

  --to URL          an empty database: postgres://user:password@host:5432/name
  --to-data FOLDER  the folder for svc.db
`

// moveDatabase runs svc migrate-database.
func moveDatabase(ctx context.Context, args []string, out io.Writer) error {
	var url, folder string
	cfg, names, err := config.LoadWith(args, os.Environ(), func(set *flag.FlagSet) {
		set.StringVar(&url, "to", "", "the new PostgreSQL database")
		set.StringVar(&folder, "to-data", "", "the folder of the new SQLite database")
	})
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(out, moveDatabaseUsage)
		return err
	}
	if err == nil && (len(names) > 0 || (url == "") == (folder == "")) {
		err = errors.New("name one new database with --to or --to-data")
	}
	if err != nil {
		return fmt.Errorf("%w\n\n%s", err, moveDatabaseUsage)
	}
	warn(os.Stderr)
	lock, err := lockData(cfg.Data) // the service must be stopped
	if err != nil {
		return err
	}
	defer lock.Close()
	from, err := openInstance(ctx, cfg)
	if err != nil {
		return err
	}
	defer from.Close()
	if err := refuseRunning(ctx, from); err != nil {
		return err
	}
	to, next, err := openTarget(ctx, cfg, url, folder)
	if err != nil {
		return err
	}
	defer to.Close()
	began := time.Now()
	rows, err := backup.CopyDatabase(ctx, from, to, showProgress(os.Stderr))
	if err != nil {
		return fmt.Errorf("copy the database; the new one is still empty: %w", err)
	}
	return printLine(out, "Copied %d rows in %s. %s, and start svc serve. The old database is unchanged.",
		rows, time.Since(began).Round(100*time.Millisecond), next)
}

// openTarget opens the new database, which must be empty. It also returns what to do after the copy.
func openTarget(ctx context.Context, cfg config.Config, url, folder string) (to *store.Store, next string, err error) {
	cfg.DatabaseURL, next = url, "Set SVC_DATABASE_URL to the new database"
	if folder != "" {
		cfg.Data = folder
		next = "Remove SVC_DATABASE_URL, make sure that " + database(cfg) + " is in the data folder"
	}
	if to, err = openStore(ctx, cfg); err != nil {
		return nil, "", fmt.Errorf("open the new database: %w", err)
	}
	full, err := hasInstance(ctx, to)
	if err == nil && full {
		err = errNotEmpty
	}
	if err != nil {
		return nil, "", errors.Join(err, to.Close())
	}
	return to, next, nil
}
