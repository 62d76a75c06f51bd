package store

import (
	"context"
	"fmt"
	"time"

	"svc/store/internal/query"
)

// SchemaVersions returns the newest migration that the database has, and the newest one of this program.
func (b *base) SchemaVersions(ctx context.Context) (database, program int64, err error) {
	if program, err = b.newestMigration(); err != nil {
		return 0, 0, err
	}
	err = query.ScanFirst(b.db.Write(ctx).Raw("SELECT coalesce(max(version_id), 0) FROM goose_db_version"), &database)
	return database, program, query.Translate(err)
}

// integrityLines is the greatest number of problems that CheckIntegrity returns.
const integrityLines = 20

// CheckIntegrity returns what SQLite finds wrong with its file: damaged pages, and rows that refer to missing rows. A deep
// check also compares the indexes with the tables. PostgreSQL has no such check, and nothing is wrong there.
func (b *base) CheckIntegrity(ctx context.Context, deep bool) ([]string, error) {
	if b.Postgres() {
		return nil, nil
	}
	check := "quick_check"
	if deep {
		check = "integrity_check"
	}
	var lines []string
	if err := b.db.Read(ctx).Raw(fmt.Sprintf("PRAGMA %s(%d)", check, integrityLines)).Scan(&lines).Error; err != nil {
		return nil, query.Translate(err)
	}
	if len(lines) == 1 && lines[0] == "ok" {
		lines = nil
	}
	var broken []struct {
		Child, Parent string
		N             int64
	}
	err := b.db.Read(ctx).Raw(
		`SELECT "table" AS child, parent, count(*) AS n FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ?`,
		integrityLines,
	).Scan(&broken).Error
	for _, row := range broken {
		lines = append(lines, fmt.Sprintf("%d rows of %s refer to rows of %s that do not exist", row.N, row.Child, row.Parent))
	}
	return lines, query.Translate(err)
}

// Extensions returns the extensions that a PostgreSQL database has; none for SQLite.
func (b *base) Extensions(ctx context.Context) ([]string, error) {
	if !b.Postgres() {
		return nil, nil
	}
	var names []string
	err := b.db.Read(ctx).Raw("SELECT extname FROM pg_extension ORDER BY extname").Scan(&names).Error
	return names, query.Translate(err)
}

// ServerVersion returns the name and version of the database.
func (b *base) ServerVersion(ctx context.Context) (version string, err error) {
	name, statement := "SQLite ", "SELECT sqlite_version()"
	if b.Postgres() {
		name, statement = "PostgreSQL ", "SHOW server_version"
	}
	err = query.ScanFirst(b.db.Read(ctx).Raw(statement), &version)
	return name + version, query.Translate(err)
}

// ServerTime returns the time by the clock of the database server. SQLite has the clock of this machine.
func (b *base) ServerTime(ctx context.Context) (at time.Time, err error) {
	if !b.Postgres() {
		return b.now(), nil
	}
	err = query.ScanFirst(b.db.Read(ctx).Raw("SELECT clock_timestamp()"), &at)
	return at, query.Translate(err)
}
