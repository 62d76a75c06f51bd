package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"svc/store"
	"svc/store/internal/query"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

const rename = "UPDATE instance_variables SET key = ? WHERE key = ?"

// withKeys returns a store that has variables with these keys.
func withKeys(t *testing.T, keys ...string) *store.Store {
	t.Helper()
	st := storetest.New(t)
	for _, key := range keys {
		if err := add(t.Context(), st, key); err != nil {
			t.Fatal(err)
		}
	}
	return st
}

// Statements that wait run before the next statement and before the commit, in their order, however many there are.
func TestStatementsThatWaitRunInOrder(t *testing.T) {
	t.Parallel()
	st := withKeys(t, "K0")
	const last = 100 // more than wait at once
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		for n := range last {
			if err := store.Later(ctx, st, rename, fmt.Sprintf("K%d", n+1), fmt.Sprintf("K%d", n)); err != nil {
				return err
			}
			if n == last/2 {
				if _, err := st.InstanceVariables.GetByKey(ctx, fmt.Sprintf("K%d", n+1)); err != nil {
					t.Errorf("the transaction does not see what it wrote: %v", err)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantKeys(t, st, "K100")
}

// If a statement that waited fails, the next statement or the commit fails, and nothing of the transaction stays.
func TestAFailureOfAStatementThatWaitedUndoesTheTransaction(t *testing.T) {
	t.Parallel()
	for name, then := range map[string]func(ctx context.Context, st *store.Store) error{
		"at the commit":         func(context.Context, *store.Store) error { return nil },
		"at the next statement": func(ctx context.Context, st *store.Store) error { return add(ctx, st, "E") },
		"after others": func(ctx context.Context, st *store.Store) error {
			return errors.Join(store.Later(ctx, st, rename, "F", "C"), store.Later(ctx, st, rename, "G", "C"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := withKeys(t, "A", "B", "C")
			err := st.Tx(t.Context(), func(ctx context.Context) error {
				if err := add(ctx, st, "D"); err != nil {
					return err
				}
				if err := store.Later(ctx, st, rename, "A", "B"); err != nil {
					return err
				}
				return then(ctx, st)
			})
			var conflict *store.ConflictError
			if !errors.As(err, &conflict) {
				t.Errorf("the error is %v, want a conflict", err)
			}
			wantKeys(t, st, "A", "B", "C")
			if err := add(t.Context(), st, "D"); err != nil { // the connection is free again
				t.Error(err)
			}
		})
	}
}

func TestARollbackDropsStatementsThatWait(t *testing.T) {
	t.Parallel()
	st := withKeys(t, "A")
	for range 20 { // each connection of the pool
		err := st.Tx(t.Context(), func(ctx context.Context) error {
			return errors.Join(store.Later(ctx, st, rename, "B", "A"), errStop)
		})
		if !errors.Is(err, errStop) {
			t.Fatalf("the error is %v", err)
		}
		wantKeys(t, st, "A")
	}
	if err := st.Tx(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Errorf("a transaction without statements: %v", err)
	}
	wantKeys(t, st, "A")
}

// readTwice returns two readings of all keys into lists.
func readTwice(into *[2][]string) func() []query.Reading {
	return func() []query.Reading {
		*into = [2][]string{}
		reading := func(n int) query.Reading {
			return query.Reading{
				Text: "SELECT key FROM instance_variables WHERE key <> ? ORDER BY key", Args: []any{fmt.Sprintf("not %d", n)},
				Scan: func(row query.Scanner) error {
					var key string
					err := row.Scan(&key)
					into[n] = append(into[n], key)
					return err
				},
			}
		}
		return []query.Reading{reading(0), reading(1)}
	}
}

func TestReadingsTogetherReadWhatTheTransactionWrote(t *testing.T) {
	t.Parallel()
	st := withKeys(t, "A", "B")
	var got [2][]string
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		if err := store.Later(ctx, st, rename, "C", "A"); err != nil {
			return err
		}
		return store.Together(ctx, st, readTwice(&got))
	})
	if diff := cmp.Diff([2][]string{{"B", "C"}, {"B", "C"}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if err := store.Together(t.Context(), st, readTwice(&got)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([2][]string{{"B", "C"}, {"B", "C"}}, got); diff != "" {
		t.Error(diff)
	}
}

// If one reading fails, so do all, with its error, and the connection is as good as before.
func TestAReadingThatFailsFailsAll(t *testing.T) {
	t.Parallel()
	st := withKeys(t, "A", "B")
	var got [2][]string
	for bad := range 2 {
		for range 20 {
			err := store.Together(t.Context(), st, func() []query.Reading {
				readings := readTwice(&got)()
				readings[bad].Scan = func(query.Scanner) error { return errStop }
				return readings
			})
			if !errors.Is(err, errStop) {
				t.Fatalf("the error is %v", err)
			}
			if err := store.Together(t.Context(), st, readTwice(&got)); err != nil || len(got[0]) != 2 || len(got[1]) != 2 {
				t.Fatal(got, err)
			}
		}
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := store.Together(left, st, readTwice(&got)); !errors.Is(err, context.Canceled) {
		t.Errorf("the error after the caller has left is %v", err)
	}
}

// A newer program may change a table while this one runs. The readings are then compiled and run again, from the start.
func TestReadingsTogetherSurviveAMigration(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	o.Pool = 1
	st := open(t, o)
	if err := add(t.Context(), st, "A"); err != nil {
		t.Fatal(err)
	}
	var keys, descriptions []*string
	read := func(text string, into *[]*string) query.Reading {
		return query.Reading{Text: text, Scan: func(row query.Scanner) error {
			var value *string
			err := row.Scan(&value)
			*into = append(*into, value)
			return err
		}}
	}
	change := "ALTER TABLE instance_variables ADD COLUMN later text"
	if storetest.Postgres() {
		change = "ALTER TABLE instance_variables ALTER COLUMN description TYPE varchar(300)"
	}
	for n := range 2 {
		err := store.Together(t.Context(), st, func() []query.Reading {
			keys, descriptions = nil, nil
			return []query.Reading{
				read("SELECT key FROM instance_variables", &keys),
				read("SELECT description FROM instance_variables", &descriptions),
			}
		})
		if err != nil || len(keys) != 1 || len(descriptions) != 1 {
			t.Fatalf("time %d: %v, %v, %v", n, keys, descriptions, err)
		}
		if n > 0 {
			break
		}
		if _, err := st.SQL().ExecContext(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
}
