package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"gorm.io/gorm"
)

// nativeTx is a transaction on PostgreSQL. It keeps its connection, so that statements in it can be sent without
// database/sql, too.
type nativeTx struct {
	*sql.Tx
	conn   *sql.Conn
	limits *limits
}

var _ gorm.ConnPoolBeginner = retryPool{}

// BeginTx begins a transaction. Only the wait for a connection ends with the context: database/sql would start a goroutine
// to roll back when the context ends, but the next statement notices that, too.
func (p retryPool) BeginTx(ctx context.Context, o *sql.TxOptions) (gorm.ConnPool, error) {
	const attempts = 3
	for try := 1; ; try++ {
		conn, err := p.Conn(ctx)
		if err != nil {
			return nil, err
		}
		tx, err := conn.BeginTx(context.WithoutCancel(ctx), o)
		if err == nil {
			return &nativeTx{tx, conn, p.limits}, nil
		}
		conn.Close()
		if try == attempts || !errors.Is(err, driver.ErrBadConn) { // the connection had died in the pool
			return nil, err
		}
	}
}

// Commit ends the transaction and gives the connection back.
func (t *nativeTx) Commit() error {
	defer t.conn.Close()
	return t.Tx.Commit()
}

// Rollback undoes the transaction and gives the connection back.
func (t *nativeTx) Rollback() error {
	defer t.conn.Close()
	return t.Tx.Rollback()
}

// each runs a statement in the transaction.
func (t *nativeTx) each(ctx context.Context, _ *DB, f fixed) error {
	_, err := t.run(ctx, f)
	return err
}

func (t *nativeTx) run(ctx context.Context, f fixed) (result, error) {
	if err := context.Cause(ctx); err != nil {
		return result{}, err
	}
	f.inTx, f.short = true, f.short && t.limits.time > 0 // else nothing would end it
	tag, err := eachOn(ctx, t.conn, f)
	return result{tag.RowsAffected()}, err
}

// ExecContext runs a statement that GORM has built. One without values may be several statements in one text, which cannot
// be compiled.
func (t *nativeTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if len(args) == 0 {
		return t.Tx.ExecContext(ctx, text)
	}
	return t.run(ctx, fixed{text: text, args: args, scan: func(Scanner) error { return nil }})
}

// result is the number of rows that a statement has changed.
type result struct{ rows int64 }

// RowsAffected returns the number of rows.
func (r result) RowsAffected() (int64, error) { return r.rows, nil }

// LastInsertId is for databases that have no RETURNING.
func (result) LastInsertId() (int64, error) {
	return 0, errors.New("PostgreSQL returns ids with RETURNING")
}
