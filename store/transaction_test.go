package store_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

var errStop = errors.New("stop")

func add(ctx context.Context, st *store.Store, key string) error {
	return st.InstanceVariables.Create(ctx, &model.InstanceVariable{Key: key, Value: "v"}, 25)
}

// wantKeys checks the keys of all variables.
func wantKeys(t testing.TB, st *store.Store, want ...string) {
	t.Helper()
	rows, _, err := st.InstanceVariables.List(t.Context(), store.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	got := keys(rows)
	if len(got) != len(want) {
		t.Fatalf("there are %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("there are %v, want %v", got, want)
		}
	}
}

// If the caller leaves during a transaction, nothing is written, and the error says so: nothing has failed that an
// administrator should read about. It does not matter whether a statement notices that the caller has left.
func TestATransactionOfACallerWhoLeftIsCanceled(t *testing.T) {
	t.Parallel()
	for name, rest := range map[string]func(ctx context.Context, st *store.Store) error{
		"noticed":   func(ctx context.Context, st *store.Store) error { return add(ctx, st, "B") },
		"unnoticed": func(context.Context, *store.Store) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			err := st.Tx(ctx, func(ctx context.Context) error {
				if err := add(ctx, st, "A"); err != nil {
					return err
				}
				leave()
				return rest(ctx, st)
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
			wantKeys(t, st)
		})
	}
}

func TestATransactionIsCommittedAsAWhole(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		if err := errors.Join(add(ctx, st, "A"), add(ctx, st, "B")); err != nil {
			return err
		}
		if _, err := st.InstanceVariables.GetByKey(ctx, "B"); err != nil {
			t.Errorf("the transaction does not see what it wrote: %v", err)
		}
		// Read by another connection: SQLite's readers and PostgreSQL see only committed rows.
		if _, err := st.InstanceVariables.GetByKey(t.Context(), "A"); !store.IsNotFound(err) {
			t.Errorf("others see what is not committed: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantKeys(t, st, "A", "B")
}

func TestAFailureRollsATransactionBack(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		return errors.Join(add(ctx, st, "A"), errStop)
	})
	if !errors.Is(err, errStop) {
		t.Errorf("error is %v, want the one returned", err)
	}
	wantKeys(t, st)
	if err := add(t.Context(), st, "A"); err != nil { // the connection is free again
		t.Error(err)
	}
}

func TestAPanicRollsATransactionBackAndGoesOn(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	func() {
		defer func() {
			if p := recover(); p != "boom" {
				t.Errorf("recovered %v, want boom", p)
			}
		}()
		err := st.Tx(t.Context(), func(ctx context.Context) error {
			if err := add(ctx, st, "A"); err != nil {
				t.Error(err)
			}
			panic("boom")
		})
		t.Errorf("Tx returned %v", err)
	}()
	wantKeys(t, st)
	if err := add(t.Context(), st, "A"); err != nil {
		t.Error(err)
	}
}

func TestAnInnerTransactionSharesTheOutersFate(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name         string
		inner, outer error
		want         []string
	}{
		{"both succeed", nil, nil, []string{"OUTER", "INNER"}},
		{"the inner one fails", errStop, nil, nil},
		{"the outer one fails", nil, errStop, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			// Without the timeout, SQLite would wait for its only connection forever.
			patient, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			err := st.Tx(patient, func(ctx context.Context) error {
				if err := add(ctx, st, "OUTER"); err != nil {
					return err
				}
				if err := st.Tx(ctx, func(ctx context.Context) error {
					return errors.Join(add(ctx, st, "INNER"), c.inner)
				}); err != nil {
					return err
				}
				return c.outer
			})
			if failed := c.inner != nil || c.outer != nil; failed != errors.Is(err, errStop) {
				t.Errorf("error is %v", err)
			}
			wantKeys(t, st, c.want...)
		})
	}
}

func TestTheQueueWritesInTheCallersTransaction(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	insert := func(ctx context.Context, key string, fate error) error {
		return st.Tx(ctx, func(ctx context.Context) error {
			tx, err := store.SQLTx(ctx)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "INSERT INTO instance_variables (key, value, created_at, updated_at) "+
				"VALUES ('"+key+"', 'v', '2024-01-01 00:00:00+00:00', '2024-01-01 00:00:00+00:00')")
			return errors.Join(err, fate)
		})
	}
	if err := insert(t.Context(), "KEPT", nil); err != nil {
		t.Error(err)
	}
	if err := insert(t.Context(), "GONE", errStop); !errors.Is(err, errStop) {
		t.Errorf("error is %v", err)
	}
	wantKeys(t, st, "KEPT")
	if tx, err := store.SQLTx(t.Context()); tx != nil || err == nil {
		t.Errorf("outside a transaction there is %v, %v", tx, err)
	}
}

// Without the lock, two of these would read the same number on PostgreSQL, and one increment would be lost.
func TestOnceLetsOneInAtATime(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	stores := []*store.Store{open(t, o), open(t, o)} // two processes
	if err := stores[0].InstanceVariables.Create(t.Context(), &model.InstanceVariable{Key: "N", Value: "0"}, 25); err != nil {
		t.Fatal(err)
	}
	const workers, each = 8, 5
	var wg sync.WaitGroup
	for i := range workers {
		st := stores[i%2]
		wg.Go(func() {
			for range each {
				err := st.Exclusive(t.Context(), "count", func(ctx context.Context) error {
					row, err := st.InstanceVariables.GetByKey(ctx, "N")
					if err != nil {
						return err
					}
					n, err := strconv.Atoi(row.Value)
					if err != nil {
						return err
					}
					_, err = st.InstanceVariables.Update(ctx, "N", map[string]any{"value": strconv.Itoa(n + 1)}, false)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	row, err := stores[0].InstanceVariables.GetByKey(t.Context(), "N")
	if want := strconv.Itoa(workers * each); row.Value != want || err != nil {
		t.Errorf("counted to %s, %v, want %s", row.Value, err, want)
	}
}

func TestOnceRollsBackOnFailure(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	err := st.Exclusive(t.Context(), "x", func(ctx context.Context) error { return errors.Join(add(ctx, st, "A"), errStop) })
	if !errors.Is(err, errStop) {
		t.Errorf("error is %v", err)
	}
	wantKeys(t, st)
}

// The driver once ignored the option for this without an error.
func TestATransactionOnSQLiteHoldsTheWriteLockFromItsStart(t *testing.T) {
	t.Parallel()
	o := storetest.SQLiteOptions(t)
	st, other := open(t, o), open(t, o)
	if _, err := other.SQL().ExecContext(t.Context(), "PRAGMA busy_timeout = 0"); err != nil { // on its only connection
		t.Fatal(err)
	}
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		if _, err := st.Users.Any(ctx); err != nil {
			return err
		}
		if err := add(t.Context(), other, "OTHER"); err == nil {
			t.Error("another process writes while a transaction is open: this one cannot write any more")
		}
		return add(ctx, st, "OURS")
	})
	if err != nil {
		t.Error(err)
	}
	wantKeys(t, st, "OURS")
}

// A statement that comes after the end of its transaction is refused: alone, it would be committed at once.
func TestAStatementAfterTheEndOfItsTransactionIsRefused(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	late := func(ctx context.Context) {
		t.Helper()
		if err := add(ctx, st, "LATE"); err == nil {
			t.Error("a late statement is not refused")
		}
		if err := store.Execute(ctx, st, "UPDATE instance_variables SET value = ?", "late"); err == nil {
			t.Error("a late update is not refused")
		}
	}
	var ended context.Context
	if err := st.Tx(t.Context(), func(ctx context.Context) error { ended = ctx; return add(ctx, st, "A") }); err != nil {
		t.Fatal(err)
	}
	late(ended)
	if st.Postgres() { // the server can end a transaction by itself
		_ = st.Tx(t.Context(), func(ctx context.Context) error {
			tx, err := store.SQLTx(ctx)
			if err == nil {
				_, err = tx.ExecContext(ctx, "ROLLBACK")
			}
			if err != nil {
				t.Error(err)
			}
			late(ctx)
			return nil
		})
	}
	wantKeys(t, st, "A")
}
