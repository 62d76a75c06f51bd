package query

import (
	"context"
	"database/sql"
	"errors"

	"svc/store/internal/sqlite"

	"gorm.io/gorm"
)

// sqlitePool is a pool of connections to SQLite, which runs statements without database/sql: it would wrap every value.
type sqlitePool struct{ *sql.DB }

var _ gorm.ConnPoolBeginner = sqlitePool{}

// use calls do with a connection of the pool.
func (p sqlitePool) use(ctx context.Context, do func(*sqlite.Conn) error) error {
	conn, err := p.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(raw any) error {
		c, ok := raw.(*sqlite.Conn)
		if !ok {
			return errNoSQLite
		}
		return do(c)
	})
}

// each runs a statement.
func (p sqlitePool) each(ctx context.Context, _ *DB, f fixed) error {
	return p.use(ctx, func(c *sqlite.Conn) error { return eachSQLite(ctx, c, f) })
}

// together runs several statements on one connection.
func (p sqlitePool) together(ctx context.Context, _ *DB, readings func() []Reading) error {
	return p.use(ctx, func(c *sqlite.Conn) error { return togetherSQLite(ctx, c, readings) })
}

// ExecContext runs a statement that GORM has built.
func (p sqlitePool) ExecContext(ctx context.Context, text string, args ...any) (done sql.Result, err error) {
	err = p.use(ctx, func(c *sqlite.Conn) error {
		done, err = c.Exec(ctx, text, args)
		return err
	})
	return done, err
}

// GetDBConn gives GORM the underlying pool.
func (p sqlitePool) GetDBConn() (*sql.DB, error) { return p.DB, nil }

// BeginTx begins a transaction. Only the wait for a connection ends with the context: database/sql would start a goroutine
// to roll back when the context ends, but the next statement notices that, too.
func (p sqlitePool) BeginTx(ctx context.Context, o *sql.TxOptions) (gorm.ConnPool, error) {
	conn, err := p.Conn(ctx)
	if err != nil {
		return nil, err
	}
	begun := &sqliteTx{conn: conn}
	if begun.Tx, err = conn.BeginTx(context.WithoutCancel(ctx), o); err == nil {
		// The transaction owns the connection until its end, so it may use it outside Raw. A statement can then run while the rows
		// of another one are read.
		err = conn.Raw(func(raw any) error {
			begun.direct, _ = raw.(*sqlite.Conn)
			return nil
		})
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return begun, nil
}

// sqliteTx is a transaction on SQLite.
type sqliteTx struct {
	*sql.Tx
	conn   *sql.Conn
	direct *sqlite.Conn
}

// Commit ends the transaction and gives the connection back.
func (t *sqliteTx) Commit() error {
	defer t.conn.Close()
	return t.Tx.Commit()
}

// Rollback undoes the transaction and gives the connection back.
func (t *sqliteTx) Rollback() error {
	defer t.conn.Close()
	return t.Tx.Rollback()
}

// open returns an error if the caller has left, or if the transaction is over: alone, the next statement would be committed at
// once.
func (t *sqliteTx) open(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if !t.direct.InTransaction() {
		return sql.ErrTxDone
	}
	return nil
}

// each runs a statement in the transaction.
func (t *sqliteTx) each(ctx context.Context, _ *DB, f fixed) error {
	if err := t.open(ctx); err != nil {
		return err
	}
	return eachSQLite(ctx, t.direct, f)
}

func (t *sqliteTx) together(ctx context.Context, _ *DB, readings func() []Reading) error {
	if err := t.open(ctx); err != nil {
		return err
	}
	return togetherSQLite(ctx, t.direct, readings)
}

// ExecContext runs a statement that GORM has built.
func (t *sqliteTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	return t.direct.Exec(ctx, text, args)
}

func eachSQLite(ctx context.Context, c *sqlite.Conn, f fixed) error {
	return c.Each(ctx, f.text, f.args, func(row *sqlite.Row) error { return f.scan((*sqliteRow)(row)) })
}

func togetherSQLite(ctx context.Context, c *sqlite.Conn, readings func() []Reading) error {
	ctx = context.WithoutCancel(ctx) // they are short
	for _, r := range readings() {
		if err := eachSQLite(ctx, c, fixed{text: r.Text, args: r.Args, scan: r.Scan}); err != nil {
			return err
		}
	}
	return nil
}

var errNoSQLite = errors.New("the connection is not one to SQLite")
