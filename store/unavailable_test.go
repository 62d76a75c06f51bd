package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"

	"github.com/jackc/pgx/v5/pgconn"
)

// hurried opens a store whose requests have little time. On SQLite st is nil, because SQLite has neither table locks
// nor a server that may be down.
func hurried(t testing.TB) (st, beside *store.Store, wire *storetest.Proxy) {
	t.Helper()
	o := storetest.Options(t)
	beside = open(t, o)
	if o.URL == "" {
		return nil, beside, nil
	}
	wire = storetest.NewProxy(t, o.URL)
	o.URL, o.StatementTimeout, o.LockTimeout = wire.URL, 3*time.Second, 2*time.Second
	return open(t, o), beside, wire
}

// inTime checks that do fails within eight seconds because the database is not available: the limits of a statement and of a
// lock, and time for a busy machine.
func inTime(t testing.TB, what string, do func() error) {
	t.Helper()
	began := time.Now()
	err := do()
	var away *store.UnavailableError
	if took := time.Since(began); !errors.As(err, &away) || took > 8*time.Second {
		t.Errorf("%s: %v after %s", what, err, took)
	}
}

func TestALockedTableStopsItsReadersInTimeAndNobodyElse(t *testing.T) {
	t.Parallel()
	st, beside, _ := hurried(t)
	if st == nil {
		return
	}
	u := storetest.User(t, beside)
	ctx := t.Context()
	err := beside.Tx(ctx, func(locked context.Context) error {
		if err := store.Execute(locked, beside, "LOCK TABLE instance_variables IN ACCESS EXCLUSIVE MODE"); err != nil {
			return err
		}
		var waiting sync.WaitGroup
		for range 16 { // more than there are connections
			waiting.Go(func() {
				inTime(t, "a reader", func() error {
					_, _, err := st.InstanceVariables.List(ctx, store.Page{Limit: 20})
					return err
				})
			})
			waiting.Go(func() {
				inTime(t, "a writer", func() error {
					return st.Tx(ctx, func(ctx context.Context) error { return store.Execute(ctx, st, raise, "A") })
				})
			})
			waiting.Go(func() { inTime(t, "a statement", func() error { return store.Execute(ctx, st, raise, "A") }) })
		}
		waitForLock(t, beside)
		for range 20 {
			began := time.Now()
			if _, err := st.Users.Get(ctx, u.ID); err != nil || time.Since(began) > 1500*time.Millisecond {
				t.Errorf("a reader of another table: %v after %s", err, time.Since(began))
			}
		}
		waiting.Wait()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := st.InstanceVariables.List(ctx, store.Page{Limit: 20}); err != nil {
		t.Error("once the lock is gone:", err)
	}
}

func TestAServerThatHangsOrIsAwayIsToldInTime(t *testing.T) {
	t.Parallel()
	st, beside, wire := hurried(t)
	if st == nil {
		return
	}
	ctx, u := t.Context(), storetest.User(t, beside)
	get := func() error { _, err := st.Users.Get(ctx, u.ID); return err }
	if err := get(); err != nil {
		t.Fatal(err)
	}
	inTime(t, "a transaction that has begun", func() error {
		return st.Tx(ctx, func(ctx context.Context) error {
			wire.SetHanging(true)
			return store.Execute(ctx, st, raise, "A")
		})
	})
	inTime(t, "a hot query", get)
	inTime(t, "a transaction", func() error {
		return st.Tx(ctx, func(ctx context.Context) error { return store.Execute(ctx, st, raise, "A") })
	})
	inTime(t, "a statement", func() error { return store.Execute(ctx, st, raise, "A") })
	wire.SetHanging(false)
	wire.Cut()
	if err := get(); err != nil {
		t.Error("once it is back:", err)
	}
}

// Background work may wait longer and has its own connections.
func TestBackgroundWorkWaitsForALock(t *testing.T) {
	t.Parallel()
	st, beside, _ := hurried(t)
	if st == nil {
		return
	}
	done := make(chan error, 1)
	err := beside.Tx(t.Context(), func(ctx context.Context) error {
		if err := store.Execute(ctx, beside, "LOCK TABLE instance_variables IN ACCESS EXCLUSIVE MODE"); err != nil {
			return err
		}
		go func() { done <- store.Execute(store.Background(t.Context()), st, raise, "A") }()
		waitForLock(t, beside)
		inTime(t, "a request", func() error { return store.Execute(t.Context(), st, raise, "A") })
		return nil
	})
	if err := errors.Join(err, <-done); err != nil {
		t.Error(err)
	}
}

func TestAFullDiskIsNotADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"53100": false, "53200": true, "53300": true, "57P01": true, "23505": false} {
		if got := store.Unavailable(&pgconn.PgError{Code: code}); got != want {
			t.Errorf("%s: %t", code, got)
		}
	}
	for text, want := range map[string]bool{
		"database or disk is full (13)": false, "disk I/O error (778)": true, "database is locked (5)": true,
	} {
		if got := store.Unavailable(errors.New(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
