package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// native runs a statement on PostgreSQL without database/sql, which would wrap every value twice. The connection comes
// from the same pool.
func (db *DB) native(ctx context.Context, pool retryPool, f fixed) error {
	f.short = f.short && pool.limits.time > 0 // else nothing would end it
	ctx, leave, err := pool.limits.enter(ctx, f.text)
	if err != nil {
		return err
	}
	defer leave()
	return markUnavailable(db.nativeWithRetry(ctx, pool.DB, f))
}

func (db *DB) nativeWithRetry(ctx context.Context, pool *sql.DB, f fixed) error {
	seen, counting := false, f
	counting.scan = func(row Scanner) error {
		seen = true
		return f.scan(row)
	}
	err := db.nativeOnce(ctx, pool, counting)
	if isLostRace(err) && !seen { // scan has seen no row yet
		return retryLostRace(ctx, func() error { return db.nativeOnce(ctx, pool, f) })
	}
	// Either the connection had died in the pool and nothing was sent, or a migration has made the compiled statement
	// stale.
	if err != nil && (pgconn.SafeToRetry(err) || isStale(err)) {
		return db.nativeOnce(ctx, pool, f)
	}
	return err
}

func (db *DB) nativeOnce(ctx context.Context, pool *sql.DB, f fixed) error {
	began := time.Now()
	conn, err := pool.Conn(ctx)
	waited(ctx, &db.measured.Connections, began)
	if err != nil {
		return err
	}
	defer conn.Close()
	if f.short { // it ends before a goroutine that watches for the end of the request would pay; the server limits its time
		ctx = context.WithoutCancel(ctx)
	}
	var failed error
	err = conn.Raw(func(raw any) error {
		c, ok := raw.(*stdlib.Conn)
		if !ok {
			return errors.New("the connection is not a pgx connection")
		}
		failed = eachNative(ctx, c.Conn(), f)
		if c.Conn().IsClosed() {
			return driver.ErrBadConn // so that the pool drops it
		}
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func eachNative(ctx context.Context, c *pgx.Conn, f fixed) error {
	compiled := statementsOf(c)
	if !compiled.compiles {
		return eachUncompiled(ctx, c, f)
	}
	s, err := compiled.statement(ctx, c, f.text)
	if err != nil {
		return err
	}
	if err := compiled.encode(s, f.args); err != nil {
		return err
	}
	result := c.PgConn().ExecStatement(ctx, s.StatementDescription, compiled.values, compiled.formats, s.results)
	row := nativeRow{types: c.TypeMap(), fields: s.Fields, names: s.names, formats: s.results}
	var failed error
	for failed == nil && result.NextRow() {
		row.values = result.Values()
		failed = f.scan(&row)
	}
	if _, err = result.Close(); err != nil {
		compiled.forget(ctx, c, f.text, err)
		return err
	}
	return failed
}

// eachUncompiled is for URLs that ask for another execution mode. A connection pooler between us and the database may
// need that.
func eachUncompiled(ctx context.Context, c *pgx.Conn, f fixed) error {
	rows, err := c.Query(ctx, NumberPlaceholders(f.text), f.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f.scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Scanner is a row of a result, in database/sql or in pgx.
type Scanner interface{ Scan(dest ...any) error }

var (
	_ Scanner = (*sql.Rows)(nil)
	_ Scanner = (*nativeRow)(nil)
	_ Scanner = pgx.Rows(nil)
)
