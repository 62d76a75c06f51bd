package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// mostRoom is how many bytes for values a statement keeps for its next use.
const mostRoom = 4 << 10

// bind sets the values of the statement.
func (s *statement) bind(args []any) error {
	if len(args) < s.wants {
		return fmt.Errorf("the statement takes %d values, not %d", s.wants, len(args))
	}
	c := s.conn
	c.values = c.values[:0]
	size := 0
	for i, arg := range args[:s.wants] {
		value, err := plainValue(arg)
		if err != nil {
			return fmt.Errorf("value %d: %w", i+1, err)
		}
		size += sizeOf(value)
		c.values = append(c.values, value)
	}
	if err := s.makeRoom(size); err != nil {
		return err
	}
	used := 0
	for i, value := range c.values {
		n, code := s.bindOne(int32(i+1), value, used)
		if code != sqlite3.SQLITE_OK {
			return c.failed(code)
		}
		used += n
	}
	clear(c.values) // so that they can be collected
	return nil
}

// plainValue returns a value as one of the types that bindOne knows.
func plainValue(arg any) (any, error) {
	switch v := arg.(type) {
	case nil, int64, int, string, bool, float64, []byte, time.Time:
		return arg, nil
	case *string:
		if v != nil {
			return *v, nil
		}
		return nil, nil
	case *int64:
		if v != nil {
			return *v, nil
		}
		return nil, nil
	case *time.Time:
		if v != nil {
			return *v, nil
		}
		return nil, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(arg)
}

// sizeOf returns how many bytes a value needs at most in the memory of the statement.
func sizeOf(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case time.Time:
		return len(timeLayout)
	}
	return 0
}

// makeRoom makes the memory for values large enough. It is never empty, because SQLite takes an empty text at no address for
// NULL.
func (s *statement) makeRoom(size int) error {
	if s.room > size {
		return nil
	}
	s.freeMemory()
	s.memory = sqlite3.Xsqlite3_malloc64(s.conn.tls, uint64(size+1))
	if s.memory == 0 {
		return s.conn.failed(sqlite3.SQLITE_NOMEM)
	}
	s.room = size + 1
	return nil
}

func (s *statement) freeMemory() {
	if s.memory != 0 {
		sqlite3.Xsqlite3_free(s.conn.tls, s.memory)
	}
	s.memory, s.room = 0, 0
}

// bindOne sets one value. It returns how many bytes from offset on it has used in the memory of the statement, and SQLite's
// result.
func (s *statement) bindOne(i int32, value any, offset int) (used int, code int32) {
	tls, handle := s.conn.tls, s.handle
	at := s.memory + uintptr(offset)
	switch v := value.(type) {
	case nil:
		return 0, sqlite3.Xsqlite3_bind_null(tls, handle, i)
	case int64:
		return 0, sqlite3.Xsqlite3_bind_int64(tls, handle, i, v)
	case int:
		return 0, sqlite3.Xsqlite3_bind_int64(tls, handle, i, int64(v))
	case bool:
		return 0, sqlite3.Xsqlite3_bind_int(tls, handle, i, libc.Bool32(v))
	case float64:
		return 0, sqlite3.Xsqlite3_bind_double(tls, handle, i, v)
	case string:
		copy(memoryAt(at, len(v)), v)
		return len(v), sqlite3.Xsqlite3_bind_text(tls, handle, i, at, int32(len(v)), sqlite3.SQLITE_STATIC)
	case []byte:
		if v == nil {
			return 0, sqlite3.Xsqlite3_bind_null(tls, handle, i)
		}
		copy(memoryAt(at, len(v)), v)
		return len(v), sqlite3.Xsqlite3_bind_blob(tls, handle, i, at, int32(len(v)), sqlite3.SQLITE_STATIC)
	case time.Time:
		text := appendTime(memoryAt(at, len(timeLayout))[:0], v)
		return len(timeLayout), sqlite3.Xsqlite3_bind_text(tls, handle, i, at, int32(len(text)), sqlite3.SQLITE_STATIC)
	}
	return 0, sqlite3.SQLITE_MISUSE // plainValue returns nothing else
}
