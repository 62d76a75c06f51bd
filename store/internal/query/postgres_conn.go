package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// mostQueued is how many statements wait at most until they are sent together.
const mostQueued = 32

// postgresConnector opens connections to PostgreSQL that send several statements in one message.
type postgresConnector struct{ driver.Connector }

// Connect opens a connection.
func (c postgresConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(*stdlib.Conn)
	if !ok {
		opened.Close()
		return nil, fmt.Errorf("a connection of PostgreSQL's driver is a %T", opened)
	}
	return &postgresConn{Conn: conn}, nil
}

// postgresConn is a connection on which the beginning of a transaction, and statements whose results nobody needs, wait for
// the next statement and are sent with it in one message. Each message costs both sides more than a small statement does.
type postgresConn struct {
	*stdlib.Conn
	begins bool // BEGIN waits
	batch  *pgconn.Batch
	queued []queuedStatement // the statements in batch
}

type queuedStatement struct {
	fixed
	compiled *nativeStatement
}

// BeginTx begins a transaction, with the next statement unless it has options.
func (c *postgresConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if o != (driver.TxOptions{}) || !statementsOf(c.Conn.Conn()).compiles {
		return c.Conn.BeginTx(ctx, o)
	}
	if c.Conn.Conn().IsClosed() {
		return nil, driver.ErrBadConn
	}
	c.begins = true
	if err := c.queue(ctx, fixed{text: "BEGIN"}); err != nil {
		c.end()
		return nil, err
	}
	return postgresTx{c}, nil
}

// ExecContext runs a statement.
func (c *postgresConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if _, err := c.send(ctx); err != nil {
		return nil, err
	}
	return c.Conn.ExecContext(ctx, text, args)
}

// QueryContext runs a statement that returns rows.
func (c *postgresConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if _, err := c.send(ctx); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, text, args)
}

// queue adds a statement to those that wait.
func (c *postgresConn) queue(ctx context.Context, f fixed) error {
	compiled := statementsOf(c.Conn.Conn())
	s, err := compiled.statement(ctx, c.Conn.Conn(), f.text)
	if err != nil {
		return err
	}
	if err := compiled.encode(s, f.args); err != nil {
		return err
	}
	if c.batch == nil {
		c.batch = &pgconn.Batch{}
	}
	c.batch.ExecStatement(s.StatementDescription, compiled.values, compiled.formats, s.results)
	c.queued = append(c.queued, queuedStatement{f, s})
	return nil
}

// send sends the statements that wait, and reads their rows. It returns the tag of the last one. If one fails, PostgreSQL does
// not run those after it.
func (c *postgresConn) send(ctx context.Context) (tag pgconn.CommandTag, err error) {
	if c.batch == nil {
		return tag, nil
	}
	batch, queued := c.batch, c.queued
	c.end()
	results := c.Conn.Conn().PgConn().ExecBatch(ctx, batch)
	for n := 0; results.NextResult(); n++ {
		result := results.ResultReader()
		if err == nil && queued[n].scan != nil {
			err = scanAll(c.Conn.Conn(), queued[n].compiled, result, queued[n].scan)
		}
		tag, _ = result.Close() // results.Close returns its error
	}
	if failed := results.Close(); failed != nil {
		err = failed
	}
	if isStale(err) {
		for _, q := range queued {
			statementsOf(c.Conn.Conn()).forget(ctx, c.Conn.Conn(), q.text, err)
		}
	}
	return tag, err
}

// end forgets what waits, because it has been sent or because the transaction is over.
func (c *postgresConn) end() { c.begins, c.batch, c.queued = false, nil, nil }

// begun reports whether PostgreSQL knows of the transaction.
func (c *postgresConn) begun() bool { return c.Conn.Conn().PgConn().TxStatus() != noTransaction }

// postgresTx is a transaction of a postgresConn.
type postgresTx struct{ conn *postgresConn }

// Commit sends the statements that wait, and ends the transaction. A transaction that cannot be committed is rolled back.
func (t postgresTx) Commit() error {
	c, ctx := t.conn, context.Background()
	if c.begins && len(c.queued) == 1 { // the transaction has no statement
		c.end()
		return nil
	}
	err := c.queue(ctx, fixed{text: "COMMIT"})
	if err == nil {
		var tag pgconn.CommandTag
		if tag, err = c.send(ctx); err == nil && tag.String() != "COMMIT" {
			err = pgx.ErrTxCommitRollback
		}
	}
	if err != nil {
		_ = t.Rollback() // if it fails, the pool drops the connection
	}
	return err
}

// Rollback undoes the transaction.
func (t postgresTx) Rollback() error {
	t.conn.end()
	if c := t.conn.Conn.Conn(); t.conn.begun() && !c.IsClosed() {
		_, err := c.Exec(context.Background(), "ROLLBACK")
		return err
	}
	return nil
}

// later adds a statement to those that wait on the connection of a transaction.
func (t *nativeTx) later(ctx context.Context, f fixed) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	var failed error
	err := t.conn.Raw(func(raw any) error {
		c, ok := raw.(*postgresConn)
		if !ok {
			return errNoPostgres
		}
		failed = c.later(ctx, f)
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func (c *postgresConn) later(ctx context.Context, f fixed) error {
	switch {
	case !c.begins && !c.begun():
		return sql.ErrTxDone
	case !statementsOf(c.Conn.Conn()).compiles:
		_, err := eachUncompiled(ctx, c.Conn.Conn(), f)
		return err
	}
	if err := c.queue(ctx, f); err != nil || len(c.queued) < mostQueued {
		return err
	}
	_, err := c.send(ctx)
	return err
}

var errNoPostgres = errors.New("the connection is not one to PostgreSQL")
