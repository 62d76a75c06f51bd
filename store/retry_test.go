package store_test

import (
	"context"
	"sync"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/wait"
)

const raise = "UPDATE instance_variables SET value = value || 'x' WHERE key = ?"

// value returns the value of a variable.
func value(t testing.TB, st *store.Store, key string) string {
	t.Helper()
	var text string
	if err := st.SQL().QueryRowContext(t.Context(), "SELECT value FROM instance_variables WHERE key = $1", key).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// crossed creates two variables and runs two transactions at once that change them in opposite order. On PostgreSQL
// each waits, in its first attempt, until the other has changed one variable: a real deadlock. On SQLite they run one
// after the other.
func crossed(t *testing.T, st *store.Store, also func(ctx context.Context, try int) error) (runs [2]int) {
	t.Helper()
	for _, key := range []string{"A", "B"} {
		if err := add(t.Context(), st, key); err != nil {
			t.Fatal(err)
		}
	}
	var both, work sync.WaitGroup
	both.Add(2)
	for i, order := range [][]string{{"A", "B"}, {"B", "A"}} {
		work.Go(func() {
			err := st.Tx(t.Context(), func(ctx context.Context) error {
				runs[i]++
				if err := store.Execute(ctx, st, raise, order[0]); err != nil {
					return err
				}
				if runs[i] == 1 && st.Postgres() {
					both.Done()
					both.Wait()
				}
				if err := store.Execute(ctx, st, raise, order[1]); err != nil {
					return err
				}
				return also(ctx, runs[i])
			})
			if err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
		})
	}
	work.Wait()
	return runs
}

func TestADeadlockIsDoneAgain(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	var mu sync.Mutex
	told, made := 0, []model.Pipeline{}
	runs := crossed(t, st, func(ctx context.Context, _ int) error {
		store.AfterCommit(ctx, func() { mu.Lock(); told++; mu.Unlock() })
		return nil
	})
	if want := map[bool]int{true: 3, false: 2}[st.Postgres()]; runs[0]+runs[1] != want {
		t.Errorf("they ran %v times", runs)
	}
	if a, b := value(t, st, "A"), value(t, st, "B"); a != "vxx" || b != "vxx" || told != 2 {
		t.Errorf("%s, %s, told %d times", a, b, told)
	}
	// If an attempt is rolled back, its number is given again.
	n := &store.NewPipeline{Pipeline: model.Pipeline{
		ProjectID: p.ID, Ref: "main", SHA: "a", BeforeSHA: "0", Source: "push", CommitData: "{}", Stages: "[]",
		Status: "created",
	}}
	for range 2 {
		err := st.Tx(t.Context(), func(ctx context.Context) error {
			if err := st.Pipelines.Create(ctx, n); err != nil {
				return err
			}
			made = append(made, n.Pipeline)
			return errStop
		})
		if err == nil || n.Pipeline.IID != 0 {
			t.Errorf("%v, the number is %d", err, n.Pipeline.IID)
		}
	}
	if made[0].IID != 1 || made[1].IID != 1 {
		t.Errorf("numbers %d and %d", made[0].IID, made[1].IID)
	}
}

// A single statement changes both rows while a transaction holds one and needs the other.
func TestADeadlockOfASingleStatementIsDoneAgain(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]func(ctx context.Context, st *store.Store) error{
		"plain": func(ctx context.Context, st *store.Store) error {
			return store.Execute(ctx, st, "UPDATE instance_variables SET value = value || 'y'")
		},
		"hot": func(ctx context.Context, st *store.Store) error {
			var value string
			return store.Written(ctx, st, "UPDATE instance_variables SET value = value || ? RETURNING value", []any{"y"}, &value)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			for _, key := range []string{"A", "B"} {
				if err := add(t.Context(), st, key); err != nil {
					t.Fatal(err)
				}
			}
			done := make(chan error, 1)
			var first sync.Once // the transaction may also be the one that is repeated
			err := st.Tx(t.Context(), func(ctx context.Context) error {
				if err := store.Execute(ctx, st, raise, "B"); err != nil {
					return err
				}
				first.Do(func() {
					go func() { done <- statement(t.Context(), st) }() // changes A and waits for B
					if st.Postgres() {
						waitForLock(t, st)
					}
				})
				return store.Execute(ctx, st, raise, "A")
			})
			if err := <-done; err != nil {
				t.Error("the statement:", err)
			}
			// The one that PostgreSQL aborts comes second.
			if a, b := value(t, st, "A"), value(t, st, "B"); err != nil || a != b || (a != "vxy" && a != "vyx") {
				t.Errorf("%v: %s, %s", err, a, b)
			}
		})
	}
}

// waitForLock waits until some session waits for a lock.
func waitForLock(t testing.TB, st *store.Store) {
	t.Helper()
	wait.Until(t, "a session waits for a lock", func() bool {
		var n int
		query := "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
		if err := st.SQL().QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n > 0
	})
}
