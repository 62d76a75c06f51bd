package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// errSeveral means that a text has several statements.
var errSeveral = errors.New("the text has several statements")

// Conn is a connection. One goroutine at a time may use it.
type Conn struct {
	connector  Connector
	tls        *libc.TLS
	db         uintptr
	values     []any // the values of the statement that begins
	statements map[string]*statement
	uses       int64
	compiled   int // statements compiled since they were last measured
	bytes      int // at that time
}

var (
	_ driver.Conn           = (*Conn)(nil)
	_ driver.ConnBeginTx    = (*Conn)(nil)
	_ driver.ExecerContext  = (*Conn)(nil)
	_ driver.QueryerContext = (*Conn)(nil)
	_ driver.Pinger         = (*Conn)(nil)
)

// Each runs a statement and calls scan for its rows until scan fails. The row is valid only during the call. The statement is
// interrupted when the context ends.
func (c *Conn) Each(ctx context.Context, text string, args []any, scan func(*Row) error) error {
	s, err := c.statement(text)
	if err != nil {
		return err
	}
	defer s.done()
	return s.each(ctx, args, scan)
}

// Exec runs the statements of a text and returns how many rows the last one has changed, and the last id that was inserted.
func (c *Conn) Exec(ctx context.Context, text string, args []any) (driver.Result, error) {
	err := c.Each(ctx, text, args, ignoreRow)
	if errors.Is(err, errSeveral) {
		err = c.script(ctx, text, args)
	}
	if err != nil {
		return nil, err
	}
	return changes{
		rows: int64(sqlite3.Xsqlite3_changes(c.tls, c.db)), lastID: sqlite3.Xsqlite3_last_insert_rowid(c.tls, c.db),
	}, nil
}

func ignoreRow(*Row) error { return nil }

// script runs several statements, one after the other. None of them is kept.
func (c *Conn) script(ctx context.Context, text string, args []any) error {
	for text != "" {
		s, rest, err := c.compile(text, false)
		if err != nil {
			return err
		}
		text = rest
		err = s.each(ctx, args, ignoreRow)
		s.done()
		if err != nil {
			return err
		}
	}
	return nil
}

// changes is what a statement has changed.
type changes struct{ rows, lastID int64 }

// RowsAffected returns the number of changed rows.
func (c changes) RowsAffected() (int64, error) { return c.rows, nil }

// LastInsertId returns the id of the row that was inserted last.
func (c changes) LastInsertId() (int64, error) { return c.lastID, nil }

// ExecContext runs the statements of a text for database/sql.
func (c *Conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return c.Exec(ctx, text, unnamed(args))
}

// QueryContext runs a statement that returns rows, for database/sql.
func (c *Conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(text)
	if err != nil {
		return nil, err
	}
	r := &rows{statement: s, ctx: ctx, leave: s.begin(ctx)}
	err = s.bind(unnamed(args))
	if err == nil {
		err = r.step() // the first row, because callers expect the error of a statement that writes now
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func unnamed(args []driver.NamedValue) []any {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg.Value
	}
	return values
}

// Prepare returns a statement for database/sql. It is compiled when it runs, and kept like all others.
func (c *Conn) Prepare(text string) (driver.Stmt, error) { return prepared{c, text}, nil }

// Ping reads the beginning of the file.
func (c *Conn) Ping(context.Context) error { return c.run("PRAGMA schema_version") }

// InTransaction reports whether a transaction is open. SQLite itself rolls back after some errors, such as a full disk.
func (c *Conn) InTransaction() bool { return sqlite3.Xsqlite3_get_autocommit(c.tls, c.db) == 0 }

// Begin begins a transaction.
func (c *Conn) Begin() (driver.Tx, error) { return c.BeginTx(context.Background(), driver.TxOptions{}) }

// BeginTx begins a transaction. It waits for the lock of another process no longer than the busy timeout, so it is not
// cancelled with the request.
func (c *Conn) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.run(c.connector.Begin); err != nil {
		return nil, err
	}
	return transaction{c}, nil
}

func (c *Conn) run(text string) error { return c.Each(context.Background(), text, nil, ignoreRow) }

// transaction is a transaction on a connection.
type transaction struct{ conn *Conn }

// Commit ends the transaction. One that cannot be committed is rolled back.
func (t transaction) Commit() error {
	err := t.conn.run("COMMIT")
	if err != nil {
		_ = t.Rollback() // fails if SQLite has done so
	}
	return err
}

// Rollback undoes the transaction.
func (t transaction) Rollback() error { return t.conn.run("ROLLBACK") }

// Close closes the connection and its statements.
func (c *Conn) Close() error {
	if c.tls == nil {
		return nil
	}
	for _, s := range c.statements {
		s.close()
	}
	c.connector.Kept.Bytes.Add(int64(-c.bytes))
	c.connector.Kept.Entries.Add(int64(-len(c.statements)))
	err := c.failed(sqlite3.Xsqlite3_close_v2(c.tls, c.db))
	c.tls.Close()
	c.tls, c.db, c.statements = nil, 0, nil
	return err
}

// prepared is a statement of database/sql.
type prepared struct {
	conn *Conn
	text string
}

var (
	_ driver.StmtExecContext  = prepared{}
	_ driver.StmtQueryContext = prepared{}
)

// Close does nothing: the connection keeps the compiled statement.
func (prepared) Close() error { return nil }

// NumInput returns -1, so that database/sql leaves counting the values to SQLite.
func (prepared) NumInput() int { return -1 }

// Exec runs the statement.
func (p prepared) Exec(args []driver.Value) (driver.Result, error) {
	return p.conn.Exec(context.Background(), p.text, plain(args))
}

// Query runs the statement and returns its rows.
func (p prepared) Query(args []driver.Value) (driver.Rows, error) {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	return p.conn.QueryContext(context.Background(), p.text, named)
}

// ExecContext runs the statement.
func (p prepared) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return p.conn.ExecContext(ctx, p.text, args)
}

// QueryContext runs the statement and returns its rows.
func (p prepared) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return p.conn.QueryContext(ctx, p.text, args)
}

func plain(args []driver.Value) []any {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg
	}
	return values
}
