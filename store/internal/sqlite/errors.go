package sqlite

import (
	"context"
	"fmt"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Error is an error of SQLite.
type Error struct {
	Code int // SQLite's extended result code
	text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.text, e.Code) }

// failed returns the error for a result code of the connection, or nil.
func (c *Conn) failed(code int32) error {
	if code == sqlite3.SQLITE_OK {
		return nil
	}
	text := libc.GoString(sqlite3.Xsqlite3_errstr(c.tls, code))
	if c.db != 0 {
		if detail := libc.GoString(sqlite3.Xsqlite3_errmsg(c.tls, c.db)); detail != text {
			text += ": " + detail
		}
	}
	return &Error{int(code), text}
}

// failedStep is like failed, for a statement that may have been interrupted because its context has ended.
func (c *Conn) failedStep(ctx context.Context, code int32) error {
	if code&0xff == sqlite3.SQLITE_INTERRUPT && ctx.Err() != nil {
		return ctx.Err()
	}
	return c.failed(code)
}
