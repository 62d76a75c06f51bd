package limit

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// year is a window whose end falls into a test only once in many millions of runs.
const year = 365 * 24 * time.Hour

// counters returns the kinds of counters: in memory, in the database of this test run, and one that reserves several
// requests in the database at once.
func counters(t *testing.T) map[string]func(context.Context, string, time.Time, time.Time) (int64, error) {
	t.Helper()
	made := map[string]func(context.Context, string, time.Time, time.Time) (int64, error){}
	for name, c := range map[string]struct {
		shared Counter
		some   int64
	}{"memory": {nil, 7}, "database": {storetest.New(t).RateCounters.Add, 1}, "shares": {storetest.New(t).RateCounters.Add, 7}} {
		m := newMemory(c.shared)
		made[name] = func(ctx context.Context, key string, start, end time.Time) (int64, error) {
			return m.take(ctx, key, start, end, c.some)
		}
	}
	return made
}

func TestProcessesTakeTheirShares(t *testing.T) {
	t.Parallel()
	shared := storetest.New(t).RateCounters.Add
	one, other := newMemory(shared), newMemory(shared)
	start := time.Now().UTC().Truncate(time.Hour)
	for i, step := range []struct {
		m    *windowCounter
		want int64
	}{{one, 1}, {one, 2}, {other, 4}, {one, 3}, {other, 5}, {one, 7}, {other, 6}} { // reserved three at a time
		got, err := step.m.take(t.Context(), "a", start, start.Add(time.Hour), 3)
		if got != step.want || err != nil {
			t.Errorf("step %d: count is %d, %v, want %d", i, got, err, step.want)
		}
	}
}

func TestEachCallerAndEachWindowIsCountedByItself(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Truncate(time.Hour)
	next := start.Add(time.Hour)
	for name, count := range counters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, step := range []struct {
				key   string
				start time.Time
				want  int64
			}{
				{"a", start, 1},
				{"a", start, 2},
				{"b", start, 1},
				{"a", start, 3},
				{"a", next, 1},
				{"a", next, 2},
				{"b", next, 1},
			} {
				got, err := count(t.Context(), step.key, step.start, step.start.Add(time.Hour))
				if err != nil {
					t.Fatal(err)
				}
				if got != step.want {
					t.Errorf("step %d: count of %s is %d, want %d", i, step.key, got, step.want)
				}
			}
		})
	}
}

func TestALateRequestDoesNotEmptyTheNextWindow(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Truncate(time.Hour)
	next := start.Add(time.Hour)
	for name, count := range counters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got int64
			// The third request read the clock before the window's end and counts after it.
			for _, at := range []time.Time{next, next, start, next} {
				n, err := count(t.Context(), "a", at, at.Add(time.Hour))
				if err != nil {
					t.Fatal(err)
				}
				got = n
			}
			if got != 3 {
				t.Errorf("count is %d, want 3", got)
			}
		})
	}
}

func TestRequestsAtOnceAreAllCounted(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Truncate(time.Hour)
	for name, count := range counters(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const workers, each = 8, 10
			var wg sync.WaitGroup
			var mu sync.Mutex
			seen := map[int64]bool{}
			for range workers {
				wg.Go(func() {
					for range each {
						n, err := count(t.Context(), "a", start, start.Add(time.Hour))
						mu.Lock()
						if err != nil || n < 1 || seen[n] {
							t.Errorf("count is %d, %v, seen %v", n, err, seen[n])
						}
						seen[n] = true
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			if name != "shares" && !seen[workers*each] {
				t.Errorf("%d requests were counted as %v", workers*each, seen)
			}
		})
	}
}

func TestTheRequestAfterTheLastIsOver(t *testing.T) {
	t.Parallel()
	limiter, rule := New(storetest.New(t)), Rule{Name: "archive", Max: 3, Window: year}
	type seen struct {
		Observed, Remaining int64
		Over                bool
	}
	var got []seen
	for range 5 {
		res, err := limiter.Take(t.Context(), rule, "7")
		if err != nil {
			t.Fatal(err)
		}
		if left := time.Until(res.Reset); left <= 0 || left > year {
			t.Errorf("the window ends in %s", left)
		}
		got = append(got, seen{res.Observed, res.Remaining(), res.Over()})
	}
	want := []seen{{1, 2, false}, {2, 1, false}, {3, 0, false}, {4, 0, true}, {5, 0, true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, other := range []struct {
		rule   Rule
		caller string
	}{{rule, "8"}, {Rule{Name: "changelog", Max: 3, Window: year}, "7"}} {
		if res, err := limiter.Take(t.Context(), other.rule, other.caller); res.Observed != 1 || err != nil {
			t.Errorf("%s of %s is counted together with another: %d, %v", other.rule.Name, other.caller, res.Observed, err)
		}
	}
}

func TestWindowsBeginAtMultiplesOfTheirLength(t *testing.T) {
	t.Parallel()
	var start, end time.Time
	limiter := &Limiter{newMemory(func(_ context.Context, _ string, s, e time.Time, _ int64) (int64, error) {
		start, end = s, e
		return 1, nil
	})}
	for _, window := range []time.Duration{time.Second, time.Minute, time.Hour, 10 * time.Minute} {
		before := time.Now()
		res, err := limiter.Take(t.Context(), Rule{Name: "x", Max: 1, Window: window}, "7")
		if err != nil {
			t.Fatal(err)
		}
		if !start.Equal(start.Truncate(window)) || end.Sub(start) != window || !res.Reset.Equal(end) {
			t.Errorf("window of %s runs from %s to %s, reset at %s", window, start, end, res.Reset)
		}
		if start.After(time.Now()) || !end.After(before) {
			t.Errorf("window of %s runs from %s to %s, which is not now", window, start, end)
		}
	}
}

func TestARuleThatIsOffCountsNothing(t *testing.T) {
	t.Parallel()
	limiter := &Limiter{newMemory(func(context.Context, string, time.Time, time.Time, int64) (int64, error) {
		return 0, errors.New("counted")
	})}
	res, err := limiter.Take(t.Context(), Rule{Name: "off"}, "7")
	if err != nil || res.Over() {
		t.Errorf("over is %v, error is %v", res.Over(), err)
	}
}

func TestACountThatFailsIsAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("no database")
	limiter := &Limiter{newMemory(func(context.Context, string, time.Time, time.Time, int64) (int64, error) { return 0, broken })}
	if _, err := limiter.Take(t.Context(), Rule{Name: "x", Max: 1, Window: time.Minute}, "7"); !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
}

// SQLite serves one process, which counts in memory, so here each limiter counts on its own.
func TestTwoProcessesShareTheCountOnPostgreSQLOnly(t *testing.T) {
	t.Parallel()
	o := storetest.Options(t)
	var limiters []*Limiter
	for range 2 {
		st, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		limiters = append(limiters, New(st))
	}
	const each, most = 20, 25
	var mu sync.Mutex
	passed := 0
	var wg sync.WaitGroup
	for i := range 2 * each {
		wg.Go(func() {
			res, err := limiters[i%2].Take(t.Context(), Rule{Name: "shared", Max: most, Window: year}, "7")
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if !res.Over() {
				passed++
			}
		})
	}
	wg.Wait()
	want := 2 * each
	if storetest.Postgres() {
		want = most
	}
	if passed != want {
		t.Errorf("%d of %d requests passed, want %d", passed, 2*each, want)
	}
}

func TestNamedLimitsAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	const again = " has been requested too many times. Try again later."
	want := map[string]Rule{
		"archive":         {Window: time.Minute, Text: "This archive" + again},
		"changelog":       {Window: time.Minute, Text: "This changelog" + again},
		"export":          {Window: time.Minute},
		"export_download": {Window: time.Minute, ByOperation: true},
		"hook_test":       {Window: time.Minute},
		"import":          {Window: time.Minute},
		"jobs":            {Window: time.Minute, AllProjects: true},
		"large_blob":      {Window: time.Minute, ByOperation: true},
		"notes":           {Window: time.Minute, AllProjects: true},
		"search":          {Window: time.Minute, AllProjects: true},
		"tracked_event":   {Window: time.Minute},
		"users":           {Window: 10 * time.Minute, AllProjects: true, ExemptAdmins: true},
	}
	if diff := cmp.Diff(want, Named); diff != "" {
		t.Error(diff)
	}
}

func TestExpireDeletesOnlyTheCountersOfWindowsThatHaveEnded(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now().UTC()
	for key, ends := range map[string]time.Time{
		"ended": now.Add(-time.Second), "open": now.Add(time.Hour), "long ended": now.Add(-1000 * time.Hour),
	} {
		if _, err := st.RateCounters.Add(t.Context(), key, ends.Add(-time.Minute), ends, 1); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := Expire(t.Context(), st, now); err != nil {
			t.Fatal(err)
		}
		left, row := "", st.SQL().QueryRowContext(t.Context(), "SELECT min(key) || count(*) FROM rate_counters")
		if err := row.Scan(&left); err != nil || left != "open1" {
			t.Errorf("%q are left, %v", left, err)
		}
	}
}
