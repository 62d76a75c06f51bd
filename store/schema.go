package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"svc/store/internal/query"
)

// NewerSchemaError means that a newer program has migrated the database.
type NewerSchemaError struct {
	Database, Program int64  // the newest migrations
	By                string // the version of the program that started last; empty if unknown
}

func (e *NewerSchemaError) Error() string {
	by := ""
	if e.By != "" {
		by = ", created by svc " + e.By
	}
	return fmt.Sprintf("the database has schema %d%s, but this program only supports schema %d", e.Database, by, e.Program)
}

// NotEmptyError means that the database contains only tables of another program.
type NotEmptyError struct{ Table string }

func (e *NotEmptyError) Error() string {
	return fmt.Sprintf(
		"the database contains tables of another program, such as %q; use an empty database, or the one that svc has used before",
		e.Table,
	)
}

// ErrNoSchema means that the database has no tables.
var ErrNoSchema = errors.New("the database is empty")

// CheckSchema returns ErrNoSchema for an empty database, a *NotEmptyError if it contains only tables of another
// program, and a *NewerSchemaError if its schema is newer than the program.
func (b *base) CheckSchema(ctx context.Context) error {
	found, err := b.tables(ctx)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return ErrNoSchema
	}
	ours := false
	for _, name := range found {
		ours = ours || name == "goose_db_version"
	}
	if !ours {
		return &NotEmptyError{Table: found[0]}
	}
	at, newest, err := b.SchemaVersions(ctx)
	if err != nil || at <= newest {
		return err
	}
	e := &NewerSchemaError{Database: at, Program: newest}
	_ = query.ScanFirst(b.db.Write(ctx).Raw("SELECT program FROM instance"), &e.By) // a newer schema may not have this column
	return e
}

func (b *base) checkSchema(ctx context.Context) error {
	if err := b.CheckSchema(ctx); !errors.Is(err, ErrNoSchema) {
		return err
	}
	return nil
}

// tables returns the names of all tables.
func (b *base) tables(ctx context.Context) ([]string, error) {
	statement := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
	if b.Postgres() {
		statement = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
	}
	var names []string
	err := b.db.Write(ctx).Raw(statement).Scan(&names).Error
	return names, query.Translate(err)
}

// newestMigration returns the number of the newest migration of this program.
func (b *base) newestMigration() (newest int64, err error) {
	folder := "migrate/sqlite"
	if b.Postgres() {
		folder = "migrate/postgres"
	}
	files, err := fs.ReadDir(migrations, folder)
	for _, file := range files {
		n, err := migrationVersion(file.Name())
		if err != nil {
			return 0, err
		}
		newest = max(newest, n)
	}
	return newest, err
}
