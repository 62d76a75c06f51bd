package sqlite

import (
	"context"
	"database/sql/driver"
	"io"
	"strings"
	"unicode"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// statement is a compiled statement.
type statement struct {
	conn   *Conn
	handle uintptr
	wants  int     // values
	memory uintptr // of the texts and bytes among the values
	room   int     // bytes there
	used   int64   // its last use, by the number of uses of the connection
	kept   bool
	busy   bool // its rows are being read

	names    []string
	times    []bool // which columns are declared as times
	compiled int32  // how often SQLite had compiled it anew when names and times were read
}

// compile compiles the first statement of a text and returns the rest of the text.
func (c *Conn) compile(text string, keep bool) (*statement, string, error) {
	source, err := libc.CString(text)
	if err != nil {
		return nil, "", err
	}
	defer libc.Xfree(c.tls, source)
	into := c.tls.Alloc(2 * pointerSize)
	defer c.tls.Free(2 * pointerSize)
	flags := uint32(0)
	if keep {
		flags = sqlite3.SQLITE_PREPARE_PERSISTENT
	}
	tail := into + uintptr(pointerSize)
	if err := c.failed(sqlite3.Xsqlite3_prepare_v3(c.tls, c.db, source, int32(len(text)+1), flags, into, tail)); err != nil {
		return nil, "", err
	}
	rest := strings.TrimLeftFunc(text[pointerAt(tail)-source:], unicode.IsSpace)
	s := &statement{conn: c, handle: pointerAt(into), compiled: -1}
	s.wants = int(sqlite3.Xsqlite3_bind_parameter_count(c.tls, s.handle))
	return s, rest, nil
}

// close frees the statement.
func (s *statement) close() {
	sqlite3.Xsqlite3_finalize(s.conn.tls, s.handle)
	s.freeMemory()
}

// done ends the use of a statement.
func (s *statement) done() {
	s.busy = false
	if !s.kept {
		s.close()
		return
	}
	sqlite3.Xsqlite3_reset(s.conn.tls, s.handle)
	if s.room > mostRoom {
		sqlite3.Xsqlite3_clear_bindings(s.conn.tls, s.handle)
		s.freeMemory()
	}
}

// begin marks the statement as busy and lets the end of the context interrupt it. The caller must call the function that it
// returns after the last step.
func (s *statement) begin(ctx context.Context) (leave func()) {
	s.busy = true
	if ctx.Done() == nil {
		return func() {}
	}
	db, interrupted := s.conn.db, make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		tls := libc.NewTLS() // that of the connection is in use
		sqlite3.Xsqlite3_interrupt(tls, db)
		tls.Close()
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted // else it could hit the next statement
		}
	}
}

// each runs the statement and calls scan for its rows.
func (s *statement) each(ctx context.Context, args []any, scan func(*Row) error) error {
	if s.handle == 0 { // a comment
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	defer s.begin(ctx)()
	if err := s.bind(args); err != nil {
		return err
	}
	row := Row{s}
	for {
		switch code := sqlite3.Xsqlite3_step(s.conn.tls, s.handle); code {
		case sqlite3.SQLITE_ROW:
			if err := scan(&row); err != nil {
				return err
			}
		case sqlite3.SQLITE_DONE:
			return nil
		default:
			return s.conn.failedStep(ctx, code)
		}
	}
}

// describe reads the names and types of the columns, once after each time that SQLite has compiled the statement. SQLite
// compiles it anew when tables have changed.
func (s *statement) describe() {
	tls := s.conn.tls
	compiled := sqlite3.Xsqlite3_stmt_status(tls, s.handle, sqlite3.SQLITE_STMTSTATUS_REPREPARE, 0)
	if s.compiled == compiled {
		return
	}
	s.compiled = compiled
	n := sqlite3.Xsqlite3_column_count(tls, s.handle)
	s.names, s.times = make([]string, n), make([]bool, n)
	for i := range n {
		s.names[i] = libc.GoString(sqlite3.Xsqlite3_column_name(tls, s.handle, i))
		switch strings.ToUpper(libc.GoString(sqlite3.Xsqlite3_column_decltype(tls, s.handle, i))) {
		case "DATE", "DATETIME", "TIMESTAMP":
			s.times[i] = true
		}
	}
}

// rows are the rows of a statement, for database/sql.
type rows struct {
	*statement
	ctx   context.Context //nolint:containedctx // of the statement that is being read
	leave func()
	next  int32 // the result of the last step, which Next has not used yet
}

// step makes the next row current.
func (r *rows) step() error {
	r.next = sqlite3.SQLITE_DONE
	if r.handle == 0 {
		return nil
	}
	r.next = sqlite3.Xsqlite3_step(r.conn.tls, r.handle)
	if r.next != sqlite3.SQLITE_ROW && r.next != sqlite3.SQLITE_DONE {
		return r.conn.failedStep(r.ctx, r.next)
	}
	return nil
}

// Columns returns the names of the columns.
func (r *rows) Columns() []string {
	r.describe()
	return r.names
}

// Next reads the next row.
func (r *rows) Next(into []driver.Value) error {
	if r.next == 0 {
		if err := r.step(); err != nil {
			return err
		}
	}
	if r.next != sqlite3.SQLITE_ROW {
		return io.EOF
	}
	r.next = 0
	r.describe()
	row := Row{r.statement}
	for i := range into {
		into[i] = row.Column(i).Any()
	}
	return nil
}

// Close ends reading.
func (r *rows) Close() error {
	r.leave()
	r.done()
	return nil
}
