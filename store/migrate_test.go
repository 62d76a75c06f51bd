package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"svc/store"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

var emptyDatabases atomic.Int64

// empty returns the options of an empty database, which several stores may open.
func empty(t testing.TB) store.Options {
	t.Helper()
	if !storetest.Postgres() {
		return store.Options{SQLitePath: filepath.Join(t.TempDir(), "svc.db")}
	}
	u, err := url.Parse(os.Getenv("SVC_TEST_POSTGRES_URL"))
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("pgx", u.String())
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("svc_empty_%d_%d", os.Getpid(), emptyDatabases.Add(1))
	if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	u.Path = "/" + name
	return store.Options{URL: u.String(), Pool: 4}
}

func open(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// numbers returns the numbers of the migration files of one database.
func numbers(t testing.TB, dialect string) []string {
	t.Helper()
	files, err := fs.ReadDir(store.Migrations, "migrate/"+dialect)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		number, _, ok := strings.Cut(file.Name(), "_")
		if !ok || len(number) != 5 || filepath.Ext(file.Name()) != ".sql" {
			t.Errorf("%s/%s is not named 00001_subject.sql", dialect, file.Name())
		}
		out = append(out, number)
	}
	slices.Sort(out)
	return out
}

func TestEveryMigrationIsThereForBothDatabases(t *testing.T) {
	t.Parallel()
	postgres, sqlite := numbers(t, "postgres"), numbers(t, "sqlite")
	if len(postgres) == 0 {
		t.Fatal("there are no migrations")
	}
	if diff := cmp.Diff(postgres, sqlite); diff != "" {
		t.Errorf("PostgreSQL (-) and SQLite (+) differ:\n%s", diff)
	}
	for i, number := range postgres { // numbers may be left out: branches reserve them
		if i > 0 && number == postgres[i-1] {
			t.Errorf("there are two migrations %s", number)
		}
	}
}

func TestMigratingTwiceAppliesNothingTheSecondTime(t *testing.T) {
	t.Parallel()
	st := open(t, empty(t))
	first, err := st.Migrate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(first), len(numbers(t, "sqlite")); got != want {
		t.Errorf("%d migrations applied, want %d", got, want)
	}
	if err := add(t.Context(), st, "KEPT"); err != nil {
		t.Fatal(err)
	}
	second, err := st.Migrate(t.Context())
	if err != nil || len(second) != 0 {
		t.Errorf("the second time applied %v, %v", second, err)
	}
	wantKeys(t, st, "KEPT")
	if _, err := st.QueueDepth(t.Context()); err != nil {
		t.Errorf("the job queue has no table: %v", err)
	}
}

// On PostgreSQL the processes start at once. SQLite serves one process, so there they start one after the other.
func TestSeveralProcessesMigrateOneDatabase(t *testing.T) {
	t.Parallel()
	o := empty(t)
	var total atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		st := open(t, o)
		wg.Go(func() {
			applied, err := st.Migrate(t.Context())
			if err != nil {
				t.Error(err)
			}
			total.Add(int64(len(applied)))
			if err := st.Ping(t.Context()); err != nil {
				t.Error(err)
			}
		})
		if !storetest.Postgres() {
			wg.Wait()
		}
	}
	wg.Wait()
	if got, want := total.Load(), int64(len(numbers(t, "postgres"))); got != want {
		t.Errorf("%d migrations applied by all together, want %d", got, want)
	}
}

func TestMigratingStopsWithItsContext(t *testing.T) {
	t.Parallel()
	st := open(t, empty(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if applied, err := st.Migrate(ctx); err == nil {
		t.Errorf("applied %v", applied)
	}
	if _, err := st.Migrate(t.Context()); err != nil { // nothing is left locked or half done
		t.Error(err)
	}
}
