// Package sqlite connects database/sql to SQLite, as it was translated to Go. Unlike a general driver it knows that one
// goroutine at a time uses a connection, so SQLite needs no locks around each call; that the same statements come again and
// again, so connections keep them compiled; and how this program writes times.
//
// Callers that read many rows use Conn.Each, which reads columns into their places without wrapping every value.
//
//	connector.go   opens connections
//	conn.go        a connection, for database/sql and for Each; transactions
//	kept.go        the compiled statements that a connection keeps
//	statement.go   a compiled statement
//	bind.go        the values of a statement
//	row.go         the columns of a row
//	times.go       times as texts
//	memory.go      SQLite's memory
//	errors.go      errors
package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Connector opens connections to a file. It is a driver.Connector, for sql.OpenDB.
type Connector struct {
	Path    string
	Pragmas []string // run on each new connection, such as "foreign_keys(1)"
	Begin   string   // the statement that begins a transaction
	Most    int      // bytes of compiled statements that a connection keeps
	Mapped  Mapping
	Kept    *Kept // counts the statements of all connections
}

// Mapping says how connections map the file into memory instead of copying pages from it. In a large file, most pages are not
// in the small cache of a connection, so mapping saves a call for each. In a small one it costs more than it saves, because
// SQLite maps anew after every write.
type Mapping struct {
	From int64 // smaller files are not mapped
	Most int64 // bytes; 0 means never
}

// Kept counts the compiled statements that connections keep.
type Kept struct{ Entries, Bytes atomic.Int64 }

// Driver returns the driver, which database/sql asks for.
func (Connector) Driver() driver.Driver { return noNames{} }

// noNames is the driver for database/sql, which needs one although nobody opens connections by a name.
type noNames struct{}

// Open refuses, because a name has no settings.
func (noNames) Open(string) (driver.Conn, error) {
	return nil, errors.New("SQLite is opened with a Connector")
}

// Connect opens a connection.
func (c Connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened := &Conn{connector: c, tls: libc.NewTLS(), statements: map[string]*statement{}}
	if err := opened.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite at %s: %w", c.Path, err), opened.Close())
	}
	pragmas := c.Pragmas
	if c.Mapped.Most > 0 {
		if file, err := os.Stat(c.Path); err == nil && file.Size() >= c.Mapped.From {
			pragmas = append(pragmas[:len(pragmas):len(pragmas)], fmt.Sprintf("mmap_size(%d)", c.Mapped.Most))
		}
	}
	for _, pragma := range pragmas {
		if _, err := opened.ExecContext(ctx, "PRAGMA "+pragma, nil); err != nil {
			return nil, errors.Join(fmt.Errorf("open SQLite at %s: %s: %w", c.Path, pragma, err), opened.Close())
		}
	}
	return opened, nil
}

// open opens the file. database/sql gives a connection to one goroutine at a time, so SQLite does not lock it.
func (c *Conn) open() error {
	path, err := libc.CString(c.connector.Path)
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, path)
	const flags = sqlite3.SQLITE_OPEN_READWRITE | sqlite3.SQLITE_OPEN_CREATE | sqlite3.SQLITE_OPEN_NOMUTEX | sqlite3.SQLITE_OPEN_EXRESCODE
	into := c.tls.Alloc(pointerSize)
	defer c.tls.Free(pointerSize)
	code := sqlite3.Xsqlite3_open_v2(c.tls, path, into, flags, 0)
	c.db = pointerAt(into) // to be closed even if this failed
	return c.failed(code)
}
