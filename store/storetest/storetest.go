// Package storetest gives every test a fresh, migrated database of the kind that SVC_TEST_DATABASE names.
package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"svc/store"

	_ "github.com/jackc/pgx/v5/stdlib" // registers pgx
)

// Postgres reports whether the tests run on PostgreSQL.
func Postgres() bool { return os.Getenv("SVC_TEST_DATABASE") == "postgres" }

// New opens a fresh, migrated database that exists until the test ends.
func New(t testing.TB) *store.Store {
	t.Helper()
	o := Options(t)
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// Options returns the options of a fresh, migrated database that exists until the test ends. Several stores may open
// it.
func Options(t testing.TB) store.Options {
	t.Helper()
	if Postgres() {
		return postgresOptions(t)
	}
	return SQLiteOptions(t)
}

// The templates are migrated databases that the tests of one process copy: migrating for each test would take longer
// than most tests.
var (
	sqliteTemplate   = sync.OnceValues(newSQLiteTemplate)
	postgresTemplate = sync.OnceValues(newPostgresTemplate)
)

// SQLiteOptions returns the options of a fresh, migrated SQLite database, for features that only SQLite has.
func SQLiteOptions(t testing.TB) store.Options {
	t.Helper()
	data, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "svc.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return store.Options{SQLitePath: path}
}

func newSQLiteTemplate() ([]byte, error) {
	folder, err := os.MkdirTemp("", "svc-template-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "svc.db")
	if err := migrate(store.Options{SQLitePath: path}); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func migrate(o store.Options) error {
	st, err := store.Open(context.Background(), o)
	if err != nil {
		return err
	}
	defer st.Close()
	_, err = st.Migrate(context.Background())
	return err
}

var databases atomic.Int64

func postgresOptions(t testing.TB) store.Options {
	from, err := postgresTemplate()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%s_%d", from, databases.Add(1))
	if err := admin("CREATE DATABASE " + name + " TEMPLATE " + from); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := admin("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return store.Options{URL: databaseURL(name), Pool: 8}
}

// EmptyPostgres returns the URL of a database without tables that exists until the test ends.
func EmptyPostgres(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("svc_empty_test_%d_%d", os.Getpid(), databases.Add(1))
	if err := admin("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := admin("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return databaseURL(name)
}

func newPostgresTemplate() (string, error) {
	name := fmt.Sprintf("svc_test_%d", os.Getpid())
	if err := admin("DROP DATABASE IF EXISTS " + name); err != nil {
		return "", err
	}
	if err := admin("CREATE DATABASE " + name); err != nil {
		return "", err
	}
	return name, migrate(store.Options{URL: databaseURL(name), Pool: 2})
}

// admin runs one statement on the server that SVC_TEST_POSTGRES_URL names. Copies of one template wait for each other.
func admin(statement string) error {
	adminLock.Lock()
	defer adminLock.Unlock()
	address := os.Getenv("SVC_TEST_POSTGRES_URL")
	if address == "" {
		return fmt.Errorf("SVC_TEST_POSTGRES_URL is not set: run the tests with make test")
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

var adminLock sync.Mutex

func databaseURL(name string) string {
	u, err := url.Parse(os.Getenv("SVC_TEST_POSTGRES_URL"))
	if err != nil {
		return ""
	}
	u.Path = "/" + strings.TrimPrefix(name, "/")
	return u.String()
}
