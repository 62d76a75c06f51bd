package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func TestBothDatabasesHaveTheSameColumnsInABackup(t *testing.T) {
	t.Parallel()
	mine, err := storetest.New(t).DumpTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other, err := open(t, storetest.SQLiteOptions(t)).DumpTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tables := range [][]store.DumpTable{mine, other} {
		for i := range tables {
			tables[i].LastID = 0
		}
	}
	if diff := cmp.Diff(other, mine); diff != "" {
		t.Errorf("SQLite (-) and this database (+) differ:\n%s", diff)
	}
}

const queuedOnSQLite = `INSERT INTO river_job
(args, attempt, attempted_at, attempted_by, created_at, errors, kind, max_attempts, metadata, state, scheduled_at, tags,
  unique_key, unique_states)
VALUES (json('{"id":7}'), 1, '2026-01-02 03:04:05.6', json('["a","b"]'), '2026-01-02 03:04:05', json('[{"attempt":1,"error":"no"}]'),
  'some', 25, json('{"m":1}'), 'running', '2026-01-02 03:04:05.678', json('["x"]'), x'00ff', 245)`

const queuedOnPostgres = `INSERT INTO river_job
(args, attempt, attempted_at, attempted_by, created_at, errors, kind, max_attempts, metadata, state, scheduled_at, tags,
  unique_key, unique_states)
VALUES ('{"id":7}', 1, '2026-01-02 03:04:05.6Z', '{a,b}', '2026-01-02 03:04:05Z', ARRAY['{"attempt":1,"error":"no"}'::jsonb],
  'some', 25, '{"m":1}', 'running', '2026-01-02 03:04:05.678Z', '{x}', '\x00ff', 245::bit(8))`

// fillForDump writes rows with values that the databases store in different ways.
func fillForDump(t *testing.T, st *store.Store) {
	t.Helper()
	u := storetest.User(t, st, storetest.Admin)
	p := storetest.Project(t, st, u)
	due := time.Date(2030, 2, 28, 0, 0, 0, 0, time.UTC)
	weight := int64(1) << 40
	storetest.Issue(t, st, p, u, func(i *model.Issue) {
		i.Title, i.DueDate, i.Weight = "✓ \u0001 \"quoted\" 😀\r\n", &due, &weight
	})
	storetest.Job(t, st, p)
	queued := queuedOnSQLite
	if st.Postgres() {
		queued = queuedOnPostgres
	}
	if _, err := st.SQL().ExecContext(t.Context(), queued); err != nil {
		t.Fatal(err)
	}
	if !st.Postgres() {
		if _, err := st.SQL().ExecContext(t.Context(), "UPDATE issues SET description = cast(x'61ff00' AS text)"); err != nil {
			t.Fatal(err)
		}
	}
}

// dumped returns all rows of a database in the form of a backup, sorted.
func dumped(t *testing.T, st *store.Store) map[string][]string {
	t.Helper()
	tables, err := st.DumpTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, table := range tables {
		err := st.DumpRows(t.Context(), table, func(row []any) error {
			text, err := json.Marshal(row)
			line := string(text)
			if table.Name == "river_job" {
				line = strings.ReplaceAll(line, " ", "") // PostgreSQL writes spaces into JSON
			}
			all[table.Name] = append(all[table.Name], line)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(all[table.Name])
	}
	return all
}

// load copies all rows into a new database, by way of JSON as in a backup.
func load(t *testing.T, from, to *store.Store) {
	t.Helper()
	ctx := t.Context()
	version, err := from.SchemaVersion(ctx)
	if err == nil {
		err = to.MigrateTo(ctx, version)
	}
	if err != nil {
		t.Fatal(err)
	}
	tables, err := from.DumpTables(ctx)
	if err != nil {
		t.Fatal(err)
	}
	err = to.Load(ctx, tables, func(ctx context.Context, l *store.Loader) error {
		for _, table := range tables {
			err := from.DumpRows(t.Context(), table, func(row []any) error {
				text, err := json.Marshal(row)
				if err != nil {
					return err
				}
				decoder := json.NewDecoder(strings.NewReader(string(text)))
				decoder.UseNumber()
				var again []any
				if err := decoder.Decode(&again); err != nil {
					return err
				}
				return l.Insert(ctx, table, [][]any{again})
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRowsKeepTheirValuesInAnotherDatabase(t *testing.T) {
	t.Parallel()
	from := open(t, storetest.SQLiteOptions(t))
	places := []*store.Store{open(t, store.Options{SQLitePath: t.TempDir() + "/svc.db"})}
	if storetest.Postgres() {
		from = storetest.New(t)
		places = append(places, open(t, empty(t))) // from PostgreSQL to SQLite and back
	}
	fillForDump(t, from)
	want := dumped(t, from)
	for i, to := range places {
		if has, err := hasUsers(t, to); err != nil || has {
			t.Fatal("the new database:", has, err)
		}
		load(t, from, to)
		if diff := cmp.Diff(want, dumped(t, to)); diff != "" {
			t.Errorf("the rows have changed:\n%s", diff)
		}
		if has, err := to.HasUsers(t.Context()); err != nil || !has {
			t.Error("the full database:", has, err)
		}
		storetest.User(t, to, func(u *model.User) { u.Username = fmt.Sprint("later", i) }) // gets an ID that no row has
		if err := to.MigrateTo(t.Context(), 60); err == nil {
			t.Error("a database with tables took those of an older schema")
		}
		from = to
		want = dumped(t, from)
	}
}

// hasUsers creates the tables of a new database and reports whether it has a user.
func hasUsers(t *testing.T, st *store.Store) (bool, error) {
	t.Helper()
	if _, err := st.Migrate(t.Context()); err != nil {
		return false, err
	}
	return st.HasUsers(t.Context())
}

func TestTextsThatOnlySQLiteHoldsStayInSQLiteAndGetReplacementsInPostgreSQL(t *testing.T) {
	t.Parallel()
	want := "a\xff\x00"
	if storetest.Postgres() {
		want = "a\uFFFD\uFFFD"
	}
	from, to := open(t, storetest.SQLiteOptions(t)), open(t, empty(t))
	fillForDump(t, from)
	load(t, from, to)
	var text string
	if err := to.SQL().QueryRowContext(t.Context(), "SELECT description FROM issues").Scan(&text); err != nil || text != want {
		t.Errorf("the description is %q, %v", text, err)
	}
}
