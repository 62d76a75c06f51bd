package store

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"svc/store/internal/query"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// createPostgresTables applies all migrations up to a version to an empty PostgreSQL database, in one transaction, which is quicker
// than one for each of them, and returns their versions. It does nothing in a database that has tables of this program.
func (b *base) createPostgresTables(ctx context.Context, newest int64) (versions []int64, err error) {
	var exists bool
	table := goose.DefaultTablename
	if err := query.ScanFirst(b.db.Write(ctx).Raw("SELECT to_regclass(?) IS NOT NULL", table), &exists); err != nil || exists {
		return nil, query.Translate(err)
	}
	text, versions, err := postgresMigrations(newest)
	if err != nil {
		return nil, err
	}
	applied, err := database.NewStore(database.DialectPostgres, table)
	if err != nil {
		return nil, err
	}
	tx, err := b.SQL().BeginTx(ctx, nil)
	if err != nil {
		return nil, query.Translate(err)
	}
	defer tx.Rollback() //nolint:errcheck // does nothing after Commit
	if err := applied.CreateVersionTable(ctx, tx); err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, text); err != nil {
		return nil, err
	}
	for _, version := range append([]int64{0}, versions...) { // goose begins with a row for 0
		if err := applied.Insert(ctx, tx, database.InsertRequest{Version: version}); err != nil {
			return nil, err
		}
	}
	return versions, tx.Commit()
}

// postgresMigrations returns the text of all migrations up to a version, and their versions.
func postgresMigrations(newest int64) (text string, versions []int64, err error) {
	const folder = "migrate/postgres"
	files, err := fs.ReadDir(migrations, folder)
	if err != nil {
		return "", nil, err
	}
	var all strings.Builder
	for _, file := range files {
		version, err := migrationVersion(file.Name())
		if err != nil {
			return "", nil, err
		}
		if version > newest {
			break
		}
		content, err := migrations.ReadFile(folder + "/" + file.Name())
		if err != nil {
			return "", nil, err
		}
		up, _, _ := strings.Cut(string(content), "-- +goose Down")
		fmt.Fprintln(&all, up)
		versions = append(versions, version)
	}
	return all.String(), versions, nil
}

// migrationVersion returns the version in the name of a migration's file.
func migrationVersion(name string) (int64, error) {
	number, _, _ := strings.Cut(name, "_")
	return strconv.ParseInt(number, 10, 64)
}
