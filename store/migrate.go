package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"svc/store/internal/query"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrate
var migrations embed.FS

// migrationLock is the key of the lock that makes starting processes migrate one after the other.
const migrationLock = 0x737663 // "svc"

// Migrate updates the database to the newest schema and returns the versions that it applied.
func (b *base) Migrate(ctx context.Context) ([]int64, error) {
	unlock, err := b.lockMigrations(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := b.checkSchema(ctx); err != nil {
		return nil, err
	}
	whole, err := b.createTables(ctx)
	if err != nil {
		return nil, fmt.Errorf("create the tables: %w", err)
	}
	applied, err := b.migrateTables(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate the database: %w", err)
	}
	if err := b.migrateQueue(ctx); err != nil {
		return nil, err
	}
	return append(whole, applied...), nil
}

// createTables creates all tables in an empty database and returns the versions of the migrations in them.
func (b *base) createTables(ctx context.Context) ([]int64, error) {
	if !b.Postgres() {
		return b.createWholeSchema(ctx)
	}
	newest, err := b.newestMigration()
	if err != nil {
		return nil, err
	}
	return b.createPostgresTables(ctx, newest)
}

// wholeSchema is the file with the result of all SQLite migrations on an empty database, including the rows with the
// versions of the migrations.
const wholeSchema = "migrate/sqlite.sql"

// createWholeSchema creates the whole schema in an empty SQLite file, which is quicker than one migration after the other, and
// returns the versions in it.
func (b *base) createWholeSchema(ctx context.Context) (versions []int64, err error) {
	text, err := migrations.ReadFile(wholeSchema)
	if err != nil {
		return nil, err
	}
	err = b.Tx(ctx, func(ctx context.Context) error {
		tx := b.db.Write(ctx)
		var tables int
		if err := query.ScanFirst(tx.Raw("SELECT count(*) FROM sqlite_master"), &tables); err != nil || tables > 0 {
			return err
		}
		direct, err := SQLTx(ctx)
		if err != nil {
			return err
		}
		if _, err := direct.ExecContext(ctx, string(text)); err != nil {
			return err
		}
		return tx.Raw("SELECT version_id FROM goose_db_version WHERE version_id > 0 ORDER BY version_id").Scan(&versions).Error
	})
	return versions, err
}

// MigrateTo brings an empty database to the schema with the given number, which is that of a backup.
func (b *base) MigrateTo(ctx context.Context, version int64) error {
	newest, err := b.newestMigration()
	if err != nil {
		return err
	}
	if err := b.checkNotNewer(ctx, version); err != nil {
		return err
	}
	if version == newest {
		_, err := b.Migrate(ctx)
		return err
	}
	if b.Postgres() {
		if _, err := b.createPostgresTables(ctx, version); err != nil {
			return fmt.Errorf("create the tables of schema %d: %w", version, err)
		}
	}
	p, err := b.migrator()
	if err != nil {
		return err
	}
	if _, err := p.UpTo(ctx, version); err != nil {
		return fmt.Errorf("create the tables of schema %d: %w", version, err)
	}
	return b.migrateQueue(ctx)
}

// checkNotNewer returns an error if the database has tables of a newer schema than the given one.
func (b *base) checkNotNewer(ctx context.Context, version int64) error {
	err := b.CheckSchema(ctx)
	if errors.Is(err, ErrNoSchema) {
		return nil
	}
	var at int64
	if err == nil {
		at, err = b.SchemaVersion(ctx)
	}
	if err == nil && at > version {
		err = fmt.Errorf("the database has the tables of schema %d already, and schema %d is needed: use a database without tables",
			at, version)
	}
	return err
}

// NewestSchema returns the number of the newest schema that this program supports.
func (b *base) NewestSchema() (int64, error) { return b.newestMigration() }

// migrator returns what runs the migrations of this kind of database.
func (b *base) migrator() (*goose.Provider, error) {
	dialect, folder := goose.DialectSQLite3, "migrate/sqlite"
	if b.Postgres() {
		dialect, folder = goose.DialectPostgres, "migrate/postgres"
	}
	files, err := fs.Sub(migrations, folder)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, b.SQL(), files)
}

// migrateQueue updates the tables of the job queue.
func (b *base) migrateQueue(ctx context.Context) error {
	queue, err := rivermigrate.New(b.QueueDriver(), nil)
	if err != nil {
		return err
	}
	if _, err := queue.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}

func (b *base) migrateTables(ctx context.Context) ([]int64, error) {
	p, err := b.migrator()
	if err != nil {
		return nil, err
	}
	results, err := p.Up(ctx)
	applied := make([]int64, 0, len(results))
	for _, r := range results {
		applied = append(applied, r.Source.Version)
	}
	return applied, err
}

// lockMigrations waits until no other process migrates. With SQLite there is one server, and each migration is one
// transaction: of two commands that start on an empty folder at the same moment, one fails and changes nothing.
func (b *base) lockMigrations(ctx context.Context) (unlock func(), err error) {
	if !b.Postgres() {
		return func() {}, nil
	}
	conn, err := b.SQL().Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil { // may wait long
		conn.Close()
		return nil, err
	}
	return func() {
		unlock := "SELECT pg_advisory_unlock($1)"
		conn.ExecContext(context.WithoutCancel(ctx), unlock, migrationLock) //nolint:errcheck // closing the session unlocks, too
		conn.Close()
	}, nil
}

// CopyTo writes a copy of an SQLite database to a new file, without unused pages.
func (b *base) CopyTo(ctx context.Context, path string) error {
	if b.Postgres() {
		return errors.New("only a database of SQLite can be copied to a file")
	}
	return query.Translate(b.db.Write(ctx).Exec("VACUUM INTO ?", path).Error)
}
