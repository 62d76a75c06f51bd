package query

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
)

func openSQLite(t *testing.T, small bool) *DB {
	t.Helper()
	db, err := Open(Options{SQLitePath: filepath.Join(t.TempDir(), "x.db"), SmallCache: small})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A statement that runs once more while its rows are being read is compiled once more.
func TestStatementsWithinThemselvesOnSQLite(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, false)
	err := db.Tx(t.Context(), func(ctx context.Context) error {
		const pairs = "SELECT value FROM json_each(?)"
		found := ""
		for range 2 {
			err := db.Rows(ctx, pairs, []any{"[1,2]"}, func(outer Scanner) error {
				var a int
				if err := outer.Scan(&a); err != nil {
					return err
				}
				return db.Rows(ctx, pairs, []any{"[3,4]"}, func(inner Scanner) error {
					var b int
					err := inner.Scan(&b)
					found += strconv.Itoa(a) + strconv.Itoa(b) + " "
					return err
				})
			})
			if err != nil {
				return err
			}
		}
		if want := "13 14 23 24 13 14 23 24 "; found != want {
			t.Errorf("found %q, not %q", found, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A statement that was kept knows the columns of a table that has changed since.
func TestKeptStatementsSeeChangedTablesOnSQLite(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, false)
	for _, statement := range []string{"CREATE TABLE cups (id integer PRIMARY KEY)", "INSERT INTO cups VALUES (1)"} {
		if err := db.Write(t.Context()).Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	for columns := 1; columns <= 3; columns++ {
		rows, err := db.Read(t.Context()).Raw("SELECT * FROM cups").Rows()
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		rows.Close()
		if err != nil || len(names) != columns {
			t.Errorf("%d columns: %v, %v", columns, names, err)
		}
		added := "ALTER TABLE cups ADD COLUMN c" + strconv.Itoa(columns) + " integer"
		if err := db.Write(t.Context()).Exec(added).Error; err != nil {
			t.Fatal(err)
		}
	}
}

func TestKeptStatementsAreBoundedOnSQLite(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, true)
	const rounds = 2000
	for i := range rounds {
		var number, same int
		if err := db.WriteRow(t.Context(), "SELECT "+strconv.Itoa(i), nil, &number); err != nil || number != i {
			t.Fatalf("%d: %d, %v", i, number, err)
		}
		if err := db.WriteRow(t.Context(), "SELECT 17", nil, &same); err != nil || same != 17 {
			t.Fatalf("%d: %d, %v", i, same, err)
		}
	}
	kept := db.compiled.Bytes.Load()
	if most := int64(smallSize.statements); kept < most/4 || kept > most*5/4 {
		t.Errorf("statements of %d bytes are kept, at most %d are wanted", kept, most)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, bytes := db.CompiledStatements(); entries != 0 || bytes != 0 {
		t.Errorf("%d statements of %d bytes are left after closing", entries, bytes)
	}
}

func TestWrongStatementsAreNotKeptOnSQLite(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, false)
	for range 3 {
		var n int
		if err := db.WriteRow(t.Context(), "SELECT nothing", nil, &n); err == nil {
			t.Error("no error")
		}
	}
	for _, step := range []struct {
		statement string
		fails     bool
	}{
		{"CREATE TABLE cups (id integer PRIMARY KEY)", false},
		{"INSERT INTO cups VALUES (1), (1)", true},
		{"INSERT INTO cups VALUES (1)", false},
		{"INSERT INTO cups VALUES (1)", true},
		{"DELETE FROM cups", false},
		{"INSERT INTO cups VALUES (1)", false},
	} {
		if err := db.Write(t.Context()).Exec(step.statement).Error; (err != nil) != step.fails {
			t.Errorf("%s: %v", step.statement, err)
		}
	}
}
