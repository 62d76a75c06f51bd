package store_test

import (
	"math"
	"net/url"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// hotValue is a value that is sent to the database and read back.
type hotValue struct {
	name, query string
	arg         any
	make        func() any // the destination of the value
}

func into[T any]() any { return new(T) }

func hotValues() []hotValue {
	text, none := "zwölf", (*string)(nil)
	day := time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)
	moment := time.Date(1969, 7, 20, 20, 17, 40, 123456000, time.UTC)
	values := []hotValue{
		{"text", "SELECT CAST(? AS text)", text, into[string]},
		{"an empty text", "SELECT CAST(? AS text)", "", into[string]},
		{"a pointer to a text", "SELECT CAST(? AS text)", &text, into[*string]},
		{"no text", "SELECT CAST(? AS text)", none, into[*string]},
		{"a state", "SELECT CAST(? AS text)", "active", into[model.UserState]},
		{"bytes", "SELECT ?", []byte{0, 255, 'a'}, into[[]byte]},
		{"a number", "SELECT CAST(? AS bigint)", int64(math.MinInt64), into[int64]},
		{"a pointer to a number", "SELECT CAST(? AS bigint)", 7, into[*int64]},
		{"a small number", "SELECT CAST(CAST(? AS bigint) AS integer)", -3, into[int64]},
		{"a plain number", "SELECT CAST(? AS bigint)", 12, into[int]},
		{"a number as text", "SELECT CAST(? AS bigint)", "12", into[int64]},
		{"yes", "SELECT ? = 1", 1, into[bool]},
	}
	values[5].query = bytesQuery()
	if !storetest.Postgres() {
		return values
	}
	return append(values,
		hotValue{"true", "SELECT ?::boolean", true, into[bool]},
		hotValue{"false", "SELECT ?::boolean", false, into[bool]},
		hotValue{"no bytes", "SELECT ?::bytea", []byte{}, into[[]byte]},
		hotValue{"varchar", "SELECT ?::varchar(9)", "x", into[string]},
		hotValue{"a number that goes in small", "SELECT ?::integer", 42, into[int64]},
		hotValue{"a tiny number", "SELECT ?::smallint", 42, into[int64]},
		hotValue{"a fraction", "SELECT ?::double precision", 1.5, into[float64]},
		hotValue{"a time", "SELECT ?::timestamptz", moment, into[time.Time]},
		hotValue{"a pointer to a time", "SELECT ?::timestamptz", &moment, into[*time.Time]},
		hotValue{"no time", "SELECT ?::timestamptz", (*time.Time)(nil), into[*time.Time]},
		hotValue{"a day", "SELECT ?::date", day, into[time.Time]},
		hotValue{"a pointer to a day", "SELECT ?::date", "2040-02-29", into[*time.Time]},
		hotValue{"JSON", "SELECT ?::jsonb", `{"a": 1}`, into[string]},
	)
}

func bytesQuery() string {
	if storetest.Postgres() {
		return "SELECT ?::bytea"
	}
	return "SELECT ?"
}

// Values that are read and written without database/sql must be the same as with it.
func TestHotValuesAreThoseOfDatabaseSQL(t *testing.T) {
	t.Parallel()
	compareHotValues(t, open(t, storetest.Options(t)))
}

// A connection pooler between us and PostgreSQL may not keep statements; the URL says so.
func TestHotValuesNeedNoCompiledStatements(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	if o.URL != "" {
		u, err := url.Parse(o.URL)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q.Set("default_query_exec_mode", "exec")
		u.RawQuery = q.Encode()
		o.URL = u.String()
	}
	compareHotValues(t, open(t, o))
}

func compareHotValues(t *testing.T, st *store.Store) {
	t.Helper()
	for _, c := range hotValues() {
		query := c.query
		if storetest.Postgres() {
			query = store.Numbered(query)
		}
		want, got := c.make(), c.make()
		if err := st.SQL().QueryRowContext(t.Context(), query, c.arg).Scan(want); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := store.First(t.Context(), st, c.query, []any{c.arg}, got); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestAHotRowThatDoesNotFitIsAnError(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	var number int64
	var text string
	for name, err := range map[string]error{
		"null into a text":    store.First(t.Context(), st, "SELECT CAST(? AS text)", []any{(*string)(nil)}, &text),
		"a text for a number": store.First(t.Context(), st, "SELECT CAST(CAST(? AS bigint) AS text) || 'x'", []any{1}, &number),
		"too few places":      store.First(t.Context(), st, "SELECT CAST(? AS bigint), 2", []any{1}, &number),
		"too few values":      store.First(t.Context(), st, "SELECT CAST(? AS bigint) + CAST(? AS bigint)", []any{1}, &number),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if err := store.First(t.Context(), st, "SELECT CAST(? AS bigint)", []any{5}, &number); err != nil || number != 5 {
		t.Errorf("the connection is broken after that: %d, %v", number, err)
	}
}

// A migration by another process changes a table while this process has compiled statements.
func TestAHotStatementSurvivesAMigration(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	o.Pool = 1
	st := open(t, o)
	if err := add(t.Context(), st, "A"); err != nil {
		t.Fatal(err)
	}
	change := "ALTER TABLE instance_variables ADD COLUMN later text"
	if storetest.Postgres() {
		change = "ALTER TABLE instance_variables ALTER COLUMN description TYPE varchar(300)"
	}
	for range 2 {
		rows, _, err := st.InstanceVariables.List(t.Context(), store.Page{Limit: 5})
		if err != nil || len(rows) != 1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		if change != "" {
			if _, err := st.SQL().ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			change = ""
		}
	}
}
