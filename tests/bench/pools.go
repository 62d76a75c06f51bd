package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // registers sqlite
)

const poolSize = 16 // connections to PostgreSQL, svc's default

// Readers map a file of at least mapFrom bytes into memory, as the store's do.
const mapFrom, mapped = 64 << 20, 1 << 30

// sqliteReaders returns how many connections read, by the store's rule.
func sqliteReaders() int { return min(max(2*runtime.GOMAXPROCS(0), 4), 8) }

// openQueries sets up its connection pools as the store does, with the same pragmas.
func openQueries(ctx context.Context, path, postgresURL string) (*queries, error) {
	if postgresURL != "" {
		return openPostgres(ctx, postgresURL)
	}
	writer, err := openSQLite(path, 1, "_txlock", "immediate", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	file, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	options := []string{"_pragma", "query_only(1)"}
	if file.Size() >= mapFrom {
		options = append(options, "_pragma", fmt.Sprintf("mmap_size(%d)", mapped))
	}
	reader, err := openSQLite(path, sqliteReaders(), options...)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, reader, writer, spelling(postgresURL))
}

// openSQLite uses the stock driver, whatever driver the store has. All statements of the floor are prepared once.
func openSQLite(path string, connections int, options ...string) (*sql.DB, error) {
	q := url.Values{"_time_format": {"sqlite"}, "_timezone": {"UTC"}}
	q["_pragma"] = []string{"busy_timeout(5000)", "foreign_keys(1)", "cache_size(-8192)", "temp_store(MEMORY)"}
	for i := 0; i+1 < len(options); i += 2 {
		q.Add(options[i], options[i+1])
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func openPostgres(ctx context.Context, address string) (*queries, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(poolSize)
	db.SetMaxIdleConns(poolSize)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return prepare(ctx, db, db, spelling(address))
}

// spelling returns how parameters are written for a database.
func spelling(postgresURL string) func(query string) string {
	if postgresURL != "" {
		return numbered
	}
	return func(query string) string { return query }
}

// numbered writes a statement as PostgreSQL expects it: with parameters $1, $2, and without plus signs before columns.
func numbered(query string) string {
	query = strings.ReplaceAll(query, " +", " ")
	parts := strings.Split(query, "?")
	for i := 1; i < len(parts); i++ {
		parts[i] = "$" + strconv.Itoa(i) + parts[i]
	}
	return strings.Join(parts, "")
}

func prepare(ctx context.Context, reader, writer *sql.DB, spell func(string) string) (*queries, error) {
	q := &queries{pools: []*sql.DB{reader, writer}}
	var errs [11]error
	q.tokenStmt, errs[0] = reader.PrepareContext(ctx, spell(tokenQuery))
	q.userStmt, errs[1] = reader.PrepareContext(ctx, spell(userQuery))
	q.listStmt, errs[2] = reader.PrepareContext(ctx, spell(listQuery))
	q.updateStmt, errs[3] = writer.PrepareContext(ctx, spell(updateQuery))
	q.pageStmt, errs[4] = reader.PrepareContext(ctx, spell(pageQuery))
	q.projectsStmt, errs[5] = reader.PrepareContext(ctx, spell(projectsQuery))
	q.jobsStmt, errs[6] = reader.PrepareContext(ctx, spell(jobsQuery))
	q.eventsStmt, errs[7] = reader.PrepareContext(ctx, spell(eventsQuery))
	q.auditStmt, errs[8] = reader.PrepareContext(ctx, spell(auditQuery))
	q.appStmt, errs[9] = reader.PrepareContext(ctx, spell(appQuery))
	q.refreshStmt, errs[10] = writer.PrepareContext(ctx, spell(refreshQuery))
	return q, errors.Join(errs[:]...)
}

func (q *queries) close() {
	for _, pool := range q.pools {
		_ = pool.Close() // everything is committed
	}
}
