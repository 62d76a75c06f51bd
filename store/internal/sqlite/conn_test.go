package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testConnector(t *testing.T) Connector {
	t.Helper()
	return Connector{
		Path: filepath.Join(t.TempDir(), "a file?mode=memory#.db"), Begin: "BEGIN IMMEDIATE", Most: 64 << 10, Kept: &Kept{},
		Pragmas: []string{"journal_mode(WAL)", "busy_timeout(50)", "foreign_keys(1)"},
	}
}

func openPool(t *testing.T, c Connector, statements ...string) *sql.DB {
	t.Helper()
	pool := sql.OpenDB(c)
	t.Cleanup(func() { _ = pool.Close() })
	for _, statement := range statements {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}

// direct returns a connection without database/sql.
func direct(t *testing.T, c Connector) *Conn {
	t.Helper()
	opened, err := c.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	conn, ok := opened.(*Conn)
	if !ok {
		t.Fatalf("a connection is a %T", opened)
	}
	return conn
}

type named string

func TestValuesComeBackAsTheyWereStored(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 1, 2, 3, 456789000, time.FixedZone("east", 7200))
	text, number := "x", int64(7)
	long := strings.Repeat("long text ", 2000)
	for name, c := range map[string]struct {
		value any
		kind  Kind
		want  any
	}{
		"NULL":              {nil, Null, nil},
		"a number":          {int64(-1 << 62), Int, int64(-1 << 62)},
		"an int":            {3, Int, int64(3)},
		"true":              {true, Int, int64(1)},
		"a fraction":        {1.5, Float, 1.5},
		"a text":            {"a\x00b ü", Text, "a\x00b ü"},
		"an empty text":     {"", Text, ""},
		"a long text":       {long, Text, long},
		"a pointer":         {&text, Text, "x"},
		"a number's one":    {&number, Int, int64(7)},
		"an empty pointer":  {(*string)(nil), Null, nil},
		"a time":            {at, Text, "2026-11-19 23:02:03.456789+00:00"},
		"a time's pointer":  {&at, Text, "2026-11-19 23:02:03.456789+00:00"},
		"a type of its own": {named("n"), Text, "n"},
		"a valuer":          {sql.NullInt64{Int64: 4, Valid: true}, Int, int64(4)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := direct(t, testConnector(t))
			for range 2 { // the second time with a statement that was kept
				err := conn.Each(t.Context(), "SELECT ?, 'behind'", []any{c.value}, func(row *Row) error {
					if got := row.Column(0); got.Kind() != c.kind || got.Any() != c.want {
						t.Errorf("kind %d, %v", got.Kind(), got.Any())
					}
					if behind := row.Column(1).Text(); behind != "behind" || row.Len() != 2 {
						t.Errorf("%q is behind it, of %d columns", behind, row.Len())
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestBytesAreCopied(t *testing.T) {
	t.Parallel()
	conn := direct(t, testConnector(t))
	var kept [][]byte
	for _, value := range [][]byte{{0, 1, 255}, {}, nil} {
		err := conn.Each(t.Context(), "SELECT ?", []any{value}, func(row *Row) error {
			kept = append(kept, row.Column(0).Bytes())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if string(kept[0]) != "\x00\x01\xff" || len(kept[1]) != 0 || kept[2] != nil {
		t.Errorf("%v", kept)
	}
}

func TestDatabaseSQLWorks(t *testing.T) {
	t.Parallel()
	pool := openPool(t, testConnector(t), "CREATE TABLE cups (id integer PRIMARY KEY, name text UNIQUE, filled_at datetime);\n"+
		"-- several statements\nCREATE INDEX i ON cups (id); ")
	at := time.Date(2026, 11, 20, 1, 2, 3, 0, time.UTC)
	done, err := pool.ExecContext(t.Context(), "INSERT INTO cups (name, filled_at) VALUES (?, ?), (?, ?)", "a", at, "b", at)
	if err != nil {
		t.Fatal(err)
	}
	if rows, _ := done.RowsAffected(); rows != 2 {
		t.Errorf("%d rows are affected", rows)
	}
	if id, _ := done.LastInsertId(); id != 2 {
		t.Errorf("the last id is %d", id)
	}
	prepared, err := pool.PrepareContext(t.Context(), "SELECT name, filled_at FROM cups WHERE id >= ? ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer prepared.Close()
	found, err := prepared.QueryContext(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var names string
	for found.Next() {
		var name string
		var filled time.Time
		if err := found.Scan(&name, &filled); err != nil || !filled.Equal(at) {
			t.Errorf("%v, %v", filled, err)
		}
		names += name
	}
	if found.Err() != nil || names != "ab" {
		t.Errorf("%q, %v", names, found.Err())
	}
}

func TestErrorsNameWhatWasWrong(t *testing.T) {
	t.Parallel()
	pool := openPool(t, testConnector(t),
		"CREATE TABLE cups (id integer PRIMARY KEY, name text UNIQUE)", "INSERT INTO cups VALUES (1, 'a')")
	for statement, want := range map[string]string{
		"INSERT INTO cups VALUES (2, 'a')":              "UNIQUE constraint failed: cups.name (2067)",
		"INSERT INTO cups VALUES (2, 'a') RETURNING id": "UNIQUE constraint failed: cups.name (2067)",
		"SELECT missing":               "no such column: missing",
		"SELECT 1 WHERE ?":             "the statement takes 1 values, not 0",
		"SELECT 1; SELECT missing":     "no such column: missing",
		"INSERT INTO saucers VALUES 1": "syntax error",
	} {
		if _, err := pool.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", statement, err)
		}
	}
	_, err := pool.ExecContext(t.Context(), "INSERT INTO cups VALUES (2, 'a')")
	if known := (*Error)(nil); !errors.As(err, &known) || known.Code != 2067 {
		t.Errorf("%#v", err)
	}
}

func TestTheEndOfAContextInterrupts(t *testing.T) {
	t.Parallel()
	conn := direct(t, testConnector(t))
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if err := conn.Each(ctx, endless, nil, func(*Row) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the statement returned %v", err)
		}
		cancel()
		if err := conn.Each(t.Context(), "SELECT 1", nil, func(*Row) error { return nil }); err != nil {
			t.Errorf("the next statement returned %v", err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := conn.Each(ended, "SELECT 1", nil, func(*Row) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a statement of a caller who has left returned %v", err)
	}
}

func TestAnErrorOfTheCallerEndsReading(t *testing.T) {
	t.Parallel()
	conn := direct(t, testConnector(t))
	stop := errors.New("stop")
	for range 2 {
		rows := 0
		err := conn.Each(t.Context(), "SELECT value FROM json_each('[1,2,3]')", nil, func(*Row) error {
			rows++
			return stop
		})
		if rows != 1 || !errors.Is(err, stop) {
			t.Errorf("%d rows, %v", rows, err)
		}
	}
}

func TestTransactionsAreKnownToBeOpen(t *testing.T) {
	t.Parallel()
	conn := direct(t, testConnector(t))
	for _, end := range []string{"commit", "roll back", "rolled back by SQLite"} {
		tx, err := conn.Begin()
		if err != nil || !conn.InTransaction() {
			t.Fatal(end, err)
		}
		switch end {
		case "commit":
			err = tx.Commit()
		case "roll back":
			err = tx.Rollback()
		default:
			_, err = conn.Exec(t.Context(), "ROLLBACK", nil)
			if tx.Commit() == nil {
				t.Error("a transaction that is over was committed")
			}
		}
		if err != nil || conn.InTransaction() {
			t.Error(end, err)
		}
	}
}

func TestWritersWaitForEachOther(t *testing.T) {
	t.Parallel()
	c := testConnector(t)
	first, second := direct(t, c), direct(t, c)
	tx, err := first.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Begin(); err == nil || !strings.Contains(err.Error(), "database is locked") {
		t.Errorf("two transactions that write have begun: %v", err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if tx, err = second.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
}

func TestAFileThatIsNoDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	c := testConnector(t)
	c.Path = t.TempDir() // a folder
	if _, err := c.Connect(t.Context()); err == nil || !strings.Contains(err.Error(), c.Path) {
		t.Errorf("%v", err)
	}
}
