package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"

	"modernc.org/sqlite"
)

// longestKept is the length of the longest statement that is kept. Longer ones are migrations, and lists of values whose
// number is seldom the same.
const longestKept = 8 << 10

// measureEvery is the number of compiled statements after which a connection measures them, because that reads them all.
const measureEvery = 32

// connector opens connections to SQLite that keep their compiled statements. Compiling a statement costs more than
// running it, and the driver compiles each one anew.
type connector struct {
	driver.Connector
	path   string // of the file
	begin  string // the statement that begins a transaction
	most   int    // bytes of statements that a connection keeps
	mapped mapping
	kept   *keptStatements
}

// keptStatements counts the statements that all connections keep.
type keptStatements struct{ entries, bytes atomic.Int64 }

// Connect opens a connection.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(driverConn)
	if !ok {
		opened.Close()
		return nil, fmt.Errorf("a connection of SQLite's driver is a %T", opened)
	}
	if err := c.mapped.use(ctx, conn, c.path); err != nil {
		opened.Close()
		return nil, err
	}
	return &sqliteConn{driverConn: conn, connector: c, statements: map[string]*keptStatement{}}, nil
}

// use maps the file of a new connection if it is large.
func (m mapping) use(ctx context.Context, conn driver.ExecerContext, path string) error {
	if m.most == 0 {
		return nil
	}
	file, err := os.Stat(path)
	if err != nil || file.Size() < m.from {
		return err
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA mmap_size = %d", m.most), nil)
	return err
}

// driverConn is what database/sql and this file need of a connection of the driver.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	sqlite.DBStatus
}

// sqliteConn is a connection that keeps the statements it has compiled. database/sql lets one goroutine at a time use a
// connection and its rows, so it needs no lock.
type sqliteConn struct {
	driverConn
	connector  connector
	statements map[string]*keptStatement
	uses       int64
	compiled   int // statements compiled since they were last measured
	bytes      int // at that time
}

// keptStatement is a compiled statement.
type keptStatement struct {
	driverStatement
	used int64 // its last use, by the number of uses of the connection
	busy bool  // its rows are being read
}

type driverStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// ExecContext runs a statement.
func (c *sqliteConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	statement, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return c.driverConn.ExecContext(ctx, text, args)
	}
	return statement.ExecContext(ctx, args)
}

// QueryContext runs a statement that returns rows.
func (c *sqliteConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	statement, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return c.driverConn.QueryContext(ctx, text, args)
	}
	rows, err := statement.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	typed, ok := rows.(driverRows)
	if !ok {
		rows.Close()
		return nil, fmt.Errorf("the rows of SQLite's driver are a %T", rows)
	}
	statement.busy = true
	return &keptRows{typed, statement}, nil
}

// BeginTx begins a transaction.
func (c *sqliteConn) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// It waits for the lock of another process no longer than the busy timeout, so it is not cancelled with the request.
	if _, err := c.ExecContext(context.WithoutCancel(ctx), c.connector.begin, nil); err != nil {
		return nil, err
	}
	return sqliteTx{c}, nil
}

// sqliteTx is a transaction whose beginning and end are compiled once, too.
type sqliteTx struct{ conn *sqliteConn }

// Commit ends the transaction. One that cannot be committed is rolled back.
func (t sqliteTx) Commit() error {
	_, err := t.conn.ExecContext(context.Background(), "COMMIT", nil)
	if err != nil {
		_ = t.Rollback() // fails if SQLite has done so
	}
	return err
}

// Rollback undoes the transaction.
func (t sqliteTx) Rollback() error {
	_, err := t.conn.ExecContext(context.Background(), "ROLLBACK", nil)
	return err
}

// statement returns the compiled statement of a text, or nil if the text is not kept or the rows of its statement are
// still being read.
func (c *sqliteConn) statement(ctx context.Context, text string) (*keptStatement, error) {
	c.uses++
	if statement := c.statements[text]; statement != nil {
		if statement.busy {
			return nil, nil
		}
		statement.used = c.uses
		return statement, nil
	}
	if len(text) > longestKept {
		return nil, nil
	}
	made, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	compiled, ok := made.(driverStatement)
	if !ok {
		made.Close()
		return nil, fmt.Errorf("a statement of SQLite's driver is a %T", made)
	}
	statement := &keptStatement{driverStatement: compiled, used: c.uses}
	c.statements[text] = statement
	c.connector.kept.entries.Add(1)
	if c.compiled++; c.compiled >= measureEvery {
		err = c.shrink()
	}
	return statement, err
}

// shrink measures the statements. If they are too large, it drops the half that has not been used for longest.
func (c *sqliteConn) shrink() error {
	c.compiled = 0
	if err := c.measure(); err != nil || c.bytes <= c.connector.most {
		return err
	}
	var uses []int64
	for _, statement := range c.statements {
		uses = append(uses, statement.used)
	}
	slices.Sort(uses)
	for text, statement := range c.statements {
		if statement.used < uses[len(uses)/2] && !statement.busy {
			delete(c.statements, text)
			c.connector.kept.entries.Add(-1)
			if err := statement.Close(); err != nil {
				return err
			}
		}
	}
	return c.measure()
}

func (c *sqliteConn) measure() error {
	now, _, err := c.Status(sqlite.DBStatusStmtUsed, false)
	c.connector.kept.bytes.Add(int64(now - c.bytes))
	c.bytes = now
	return err
}

// Close closes the connection and its statements.
func (c *sqliteConn) Close() error {
	errs := []error{nil}
	for _, statement := range c.statements {
		errs = append(errs, statement.Close())
	}
	c.connector.kept.bytes.Add(int64(-c.bytes))
	c.connector.kept.entries.Add(int64(-len(c.statements)))
	return errors.Join(append(errs, c.driverConn.Close())...)
}

// keptRows are the rows of a kept statement.
type keptRows struct {
	driverRows
	statement *keptStatement
}

// driverRows is what GORM asks of rows.
type driverRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// Close ends reading, so that the statement can be used again.
func (r *keptRows) Close() error {
	r.statement.busy = false
	return r.driverRows.Close()
}
