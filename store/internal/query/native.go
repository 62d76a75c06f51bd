package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// noTransaction is the state of a PostgreSQL connection outside transactions.
const noTransaction = 'I'

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
	_, err = eachOn(ctx, conn, f)
	return err
}

// eachOn runs a statement on a connection of database/sql.
func eachOn(ctx context.Context, conn *sql.Conn, f fixed) (tag pgconn.CommandTag, err error) {
	if f.short { // it ends before a goroutine that watches for the end of the request would pay; the server limits its time
		ctx = context.WithoutCancel(ctx)
	}
	var failed error
	err = conn.Raw(func(raw any) error {
		c, ok := raw.(*postgresConn)
		if !ok {
			return errNoPostgres
		}
		tag, failed = c.each(ctx, f)
		if c.Conn.Conn().IsClosed() && !f.inTx {
			return driver.ErrBadConn // so that the pool drops it; in a transaction this would wait for its end
		}
		return nil
	})
	if failed != nil {
		return tag, failed
	}
	return tag, err
}

// each runs a statement, after those that wait.
func (c *postgresConn) each(ctx context.Context, f fixed) (pgconn.CommandTag, error) {
	conn := c.Conn.Conn()
	compiled := statementsOf(conn)
	if f.inTx && !c.begins && !c.begun() {
		return pgconn.CommandTag{}, sql.ErrTxDone // alone, the statement would be committed at once
	}
	if !compiled.compiles {
		return eachUncompiled(ctx, conn, f)
	}
	for _, one := range f.before {
		if err := c.queue(ctx, one); err != nil {
			return pgconn.CommandTag{}, err
		}
	}
	if c.batch != nil {
		if err := c.queue(ctx, f); err != nil {
			return pgconn.CommandTag{}, err
		}
		return c.send(ctx)
	}
	s, err := compiled.statement(ctx, conn, f.text)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	if err := compiled.encode(s, f.args); err != nil {
		return pgconn.CommandTag{}, err
	}
	result := conn.PgConn().ExecStatement(ctx, s.StatementDescription, compiled.values, compiled.formats, s.results)
	failed := scanAll(conn, s, result, f.scan)
	tag, err := result.Close()
	if err != nil {
		compiled.forget(ctx, conn, f.text, err)
		return tag, err
	}
	return tag, failed
}

// scanAll calls scan for the rows of a result until it fails.
func scanAll(c *pgx.Conn, s *nativeStatement, result *pgconn.ResultReader, scan func(Scanner) error) error {
	row := nativeRow{types: c.TypeMap(), fields: s.Fields, names: s.names, formats: s.results}
	for result.NextRow() {
		row.values = result.Values()
		if err := scan(&row); err != nil {
			return err
		}
	}
	return nil
}

// eachUncompiled is for URLs that ask for another execution mode. A connection pooler between us and the database may
// need that.
func eachUncompiled(ctx context.Context, c *pgx.Conn, f fixed) (tag pgconn.CommandTag, err error) {
	for _, one := range f.before {
		if tag, err = eachUncompiled(ctx, c, one); err != nil {
			return tag, err
		}
	}
	rows, err := c.Query(ctx, NumberPlaceholders(f.text), f.args...)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f.scan(rows); err != nil {
			return pgconn.CommandTag{}, err
		}
	}
	return rows.CommandTag(), rows.Err()
}

// Scanner is a row of a result.
type Scanner interface{ Scan(dest ...any) error }

var (
	_ Scanner = (*sqliteRow)(nil)
	_ Scanner = (*nativeRow)(nil)
	_ Scanner = pgx.Rows(nil)
)
