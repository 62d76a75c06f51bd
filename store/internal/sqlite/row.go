package sqlite

import (
	"slices"
	"strings"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Row is the current row of a statement.
type Row struct{ statement *statement }

// Names returns the names of the columns.
func (r *Row) Names() []string {
	r.statement.describe()
	return r.statement.names
}

// Len returns the number of columns.
func (r *Row) Len() int {
	return int(sqlite3.Xsqlite3_column_count(r.statement.conn.tls, r.statement.handle))
}

// Column returns a column.
func (r *Row) Column(i int) Column {
	s := r.statement
	return Column{s, sqlite3.Xsqlite3_column_value(s.conn.tls, s.handle, int32(i)), i}
}

// Column is a column of the current row.
type Column struct {
	statement *statement
	value     uintptr
	number    int
}

// Kind is the type of a value. SQLite knows it for each value, not for a column.
type Kind int32

// The kinds of values.
const (
	Null  Kind = sqlite3.SQLITE_NULL
	Int   Kind = sqlite3.SQLITE_INTEGER
	Float Kind = sqlite3.SQLITE_FLOAT
	Text  Kind = sqlite3.SQLITE_TEXT
	Bytes Kind = sqlite3.SQLITE_BLOB
)

func (c Column) tls() *libc.TLS { return c.statement.conn.tls }

// Kind returns the type of the value.
func (c Column) Kind() Kind { return Kind(sqlite3.Xsqlite3_value_type(c.tls(), c.value)) }

// Int returns the value as a number.
func (c Column) Int() int64 { return sqlite3.Xsqlite3_value_int64(c.tls(), c.value) }

// Float returns the value as a number with a fraction.
func (c Column) Float() float64 { return sqlite3.Xsqlite3_value_double(c.tls(), c.value) }

// Text returns the value as a text.
func (c Column) Text() string { return strings.Clone(c.text()) }

// Time returns the value as a time.
func (c Column) Time() (time.Time, error) { return ParseTime(c.text()) }

// text returns the value as a text that is valid only while the row is current.
func (c Column) text() string {
	at := sqlite3.Xsqlite3_value_text(c.tls(), c.value)
	return textAt(at, int(sqlite3.Xsqlite3_value_bytes(c.tls(), c.value)))
}

// Bytes returns a copy of the value, or nil if it is empty.
func (c Column) Bytes() []byte {
	at := sqlite3.Xsqlite3_value_blob(c.tls(), c.value)
	return slices.Clone(memoryAt(at, int(sqlite3.Xsqlite3_value_bytes(c.tls(), c.value))))
}

// Any returns the value as its type says. A text in a column that is declared as a time is a time.
func (c Column) Any() any {
	switch c.Kind() {
	case Int:
		return c.Int()
	case Float:
		return c.Float()
	case Text:
		c.statement.describe()
		if c.statement.times[c.number] {
			if t, err := c.Time(); err == nil {
				return t
			}
		}
		return c.Text()
	case Bytes:
		return c.Bytes()
	}
	return nil
}
