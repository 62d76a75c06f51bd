package query_test

import (
	"context"
	"database/sql"
	"net/url"
	"strconv"
	"testing"
	"time"

	"svc/store"
	"svc/store/internal/query"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

type size string

// sample has a field of every kind that rows are read into.
type sample struct {
	Number      int64
	Small       int32
	MaybeNumber *int64
	Sum         int64
	Text        string
	Size        size
	MaybeSize   *size
	Flag        bool
	MaybeFlag   *bool
	Ratio       float64
	At          time.Time
	MaybeAt     *time.Time
	Bytes       []byte
	Scanned     sql.NullString
}

const samples = `(SELECT 7 AS number, -3 AS small, 8 AS maybe_number, (SELECT sum(n) FROM (SELECT CAST(4 AS bigint) AS n) AS x) AS sum,
 'zwölf' AS text, 'big' AS size, 'little' AS maybe_size, 1 = 1 AS flag, 1 = 2 AS maybe_flag, 1.5 AS ratio,
 created_at AS at, created_at AS maybe_at, digest AS bytes, 'x' AS scanned FROM moments
 UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM moments) AS samples`

func open(t *testing.T, o store.Options) *query.DB {
	t.Helper()
	db, err := query.Open(query.Options{
		URL: o.URL, SQLitePath: o.SQLitePath, Pool: o.Pool, StatementTimeout: time.Minute, LockTimeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Rows that are read without database/sql, outside transactions, must be the same as those that are read with it.
func TestRowsAreReadAlikeInAndOutsideTransactions(t *testing.T) {
	t.Parallel()
	compareRows(t, open(t, storetest.Options(t)))
}

func TestRowsAreReadAlikeWithoutCompiledStatements(t *testing.T) {
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
	compareRows(t, open(t, o))
}

func compareRows(t *testing.T, db *query.DB) {
	t.Helper()
	binary, moment := "blob", "datetime"
	if db.Postgres() {
		binary, moment = "bytea", "timestamptz"
	}
	write := db.Write(t.Context())
	if err := write.Exec("CREATE TABLE moments (created_at " + moment + ", digest " + binary + ")").Error; err != nil {
		t.Fatal(err)
	}
	at := time.Date(1969, 7, 20, 20, 17, 40, 123456000, time.UTC)
	if err := write.Exec("INSERT INTO moments VALUES (?, ?)", at, []byte{0, 255}).Error; err != nil {
		t.Fatal(err)
	}
	read := func(ctx context.Context) []sample {
		rows, err := query.Find[sample](db.Read(ctx).Table(samples).Order("number IS NULL"), 0)
		if err != nil {
			t.Error(err)
		}
		return rows
	}
	outside := read(t.Context())
	var inside []sample
	if err := db.Tx(t.Context(), func(ctx context.Context) error { inside = read(ctx); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(inside, outside); diff != "" {
		t.Errorf("the rows differ:\n%s", diff)
	}
	if len(outside) != 2 || !outside[0].At.Equal(at) {
		t.Fatalf("rows are %+v", outside)
	}
	if outside[0].Sum != 4 || *outside[0].MaybeSize != "little" || outside[0].Text != "zwölf" {
		t.Errorf("rows are %+v", outside)
	}
}

// The connection has no buffer yet when its first statement is sent.
func TestAnEmptyTextIsNotNullInTheFirstStatement(t *testing.T) {
	t.Parallel()
	var isNull bool
	if err := open(t, storetest.Options(t)).Row(t.Context(), "SELECT CAST(? AS text) IS NULL", []any{""}, &isNull); err != nil || isNull {
		t.Errorf("the text is null: %t, %v", isNull, err)
	}
}

// A connection does not keep every statement that was ever built.
func TestAConnectionKeepsABoundedNumberOfStatements(t *testing.T) {
	t.Parallel()
	if !storetest.Postgres() {
		return // SQLite's statements are kept by GORM, which has its own limit
	}
	o := storetest.Options(t)
	o.Pool = 1
	db := open(t, o)
	for i := range 600 {
		var n int
		if err := db.Row(t.Context(), "SELECT CAST(? AS bigint) + "+strconv.Itoa(i), []any{1}, &n); err != nil || n != 1+i {
			t.Fatalf("statement %d returns %d, %v", i, n, err)
		}
	}
	var kept int
	if err := db.Row(t.Context(), "SELECT count(*) FROM pg_prepared_statements", nil, &kept); err != nil {
		t.Fatal(err)
	}
	if kept > 520 {
		t.Errorf("the connection keeps %d statements", kept)
	}
}
