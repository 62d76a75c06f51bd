package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func TestWritersAndReadersAtOnceGetNoError(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	const writers, readers, each = 8, 8, 25
	for i := range writers {
		rowFor(t, st, fmt.Sprintf("W%d", i), "0")
	}
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			key := fmt.Sprintf("W%d", i)
			for n := range each {
				if _, err := st.InstanceVariables.Update(t.Context(), key, map[string]any{"value": fmt.Sprint(n + 1)}, false); err != nil {
					t.Error(err)
				}
				if err := st.InstanceVariables.Create(
					t.Context(), &model.InstanceVariable{Key: fmt.Sprintf("%s_%d", key, n), Value: "v"}, 1000,
				); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range readers {
		wg.Go(func() {
			for range each {
				if _, _, err := st.InstanceVariables.List(t.Context(), store.Page{Limit: 20}); err != nil {
					t.Error(err)
				}
				if _, err := st.Users.Get(t.Context(), u.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	rows, total, err := st.InstanceVariables.List(t.Context(), store.Page{Limit: writers})
	if err != nil || total.Count != writers*(each+1) {
		t.Fatalf("%d rows, %v, want %d", total.Count, err, writers*(each+1))
	}
	for _, row := range rows {
		if row.Value != fmt.Sprint(each) {
			t.Errorf("%s is %s, want %d: a write was lost", row.Key, row.Value, each)
		}
	}
}

func TestRateCountersThatEndedAreDeleted(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	now := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for key, end := range map[string]time.Time{"ended": now.Add(-time.Second), "now": now, "open": now.Add(time.Minute)} {
		if _, err := st.RateCounters.Add(t.Context(), key, end.Add(-time.Hour), end, 1); err != nil {
			t.Fatal(err)
		}
	}
	for round, want := range []int64{1, 0} {
		if n, err := st.RateCounters.DeleteExpired(t.Context(), now); n != want || err != nil {
			t.Errorf("round %d: %d deleted, %v, want %d", round, n, err, want)
		}
	}
	for key, want := range map[string]int64{"ended": 1, "open": 2} {
		end := now.Add(-time.Second)
		if key == "open" {
			end = now.Add(time.Minute)
		}
		if n, err := st.RateCounters.Add(t.Context(), key, end.Add(-time.Hour), end, 1); n != want || err != nil {
			t.Errorf("%s counts %d, %v, want %d", key, n, err, want)
		}
	}
}

func TestADatabaseThatIsNotThereIsToldAtOnce(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]store.Options{
		"PostgreSQL": {URL: "postgres://svc@127.0.0.1:1/svc?connect_timeout=2", Pool: 1},
		"SQLite":     {SQLitePath: t.TempDir() + "/no/such/folder/svc.db"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st, err := store.Open(t.Context(), o)
			if err == nil {
				st.Close()
				t.Error("it was opened")
			}
		})
	}
}

func TestAClosedStoreAnswersNoPing(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), storetest.Options(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if got := len(st.Pools()); got != 2 { // SQLite has one for writing, PostgreSQL one for background work
		t.Errorf("%d pools", got)
	}
	if err := st.Close(); err != nil {
		t.Error(err)
	}
	if err := st.Ping(t.Context()); err == nil {
		t.Error("it answers")
	}
}
