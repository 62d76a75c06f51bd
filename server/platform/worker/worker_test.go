package worker

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"
	"svc/tests/wait"

	"github.com/google/go-cmp/cmp"
)

// deadline is how long a test waits for something that takes a second or two on an idle machine.
const deadline = 30 * time.Second

type note struct{ Text string }

func (note) Kind() string { return "note" }

type daily struct{}

func (daily) Kind() string { return "daily" }

type marker struct{}

func (marker) Kind() string { return "marker" }

// log records what jobs did, in order.
type log struct {
	mu    sync.Mutex
	texts []string
}

func (l *log) add(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.texts = append(l.texts, text)
	return len(l.texts)
}

func (l *log) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.texts {
		if t == text {
			return true
		}
	}
	return false
}

func newWorker(t testing.TB, st *store.Store, jobs *Jobs) *Worker {
	t.Helper()
	w, err := New(st, slog.New(slog.NewTextHandler(io.Discard, nil)), jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// start runs the queue until the test ends.
func start(t testing.TB, w *Worker) {
	t.Helper()
	if err := w.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		if err := w.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

// one returns the one number that a query selects.
func one(t testing.TB, st *store.Store, query string) int64 {
	t.Helper()
	var n int64
	if err := st.SQL().QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAJobRunsAfterCommitAndNeverAfterRollback(t *testing.T) {
	t.Parallel()
	st, done, stop := storetest.New(t), &log{}, errors.New("stop")
	jobs := NewJobs()
	Handle(jobs, func(_ context.Context, n note) error { done.add(n.Text); return nil })
	w := newWorker(t, st, jobs)
	start(t, w)

	early := false
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		if err := w.Enqueue(ctx, note{"rolled back"}); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	err = st.Tx(t.Context(), func(ctx context.Context) error {
		if err := w.Enqueue(ctx, note{"committed"}); err != nil {
			return err
		}
		early = done.has("committed")
		return nil
	})
	if err != nil || early {
		t.Errorf("ran before the commit: %v, error is %v", early, err)
	}
	if err := w.Enqueue(t.Context(), note{"alone"}); err != nil { // in a transaction of its own
		t.Fatal(err)
	}
	wait.Until(t, "both have run", func() bool { return done.has("committed") && done.has("alone") })
	if done.has("rolled back") || one(t, st, "SELECT count(*) FROM river_job") != 2 {
		t.Errorf("jobs that ran: %v", done.texts)
	}
}

func TestAJobThatFailsRunsAgain(t *testing.T) {
	t.Parallel()
	st, tries := storetest.New(t), &log{}
	jobs := NewJobs()
	Handle(jobs, func(_ context.Context, n note) error {
		switch tries.add(n.Text) {
		case 1:
			return errors.New("not yet")
		default:
			return nil
		}
	})
	w := newWorker(t, st, jobs)
	start(t, w)
	if err := w.Enqueue(t.Context(), note{"same payload"}); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "it is done", func() bool { return one(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed'") == 1 })
	if diff := cmp.Diff([]string{"same payload", "same payload"}, tries.texts); diff != "" {
		t.Error(diff)
	}
	if got := one(t, st, "SELECT attempt FROM river_job"); got != 2 {
		t.Errorf("%d attempts, want 2", got)
	}
}

func TestAJobThatPanicsIsRetriedAndHurtsNoOther(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	jobs := NewJobs()
	Handle(jobs, func(_ context.Context, n note) error {
		if n.Text == "bad" {
			panic("boom")
		}
		done.add(n.Text)
		return nil
	})
	w := newWorker(t, st, jobs)
	start(t, w)
	for _, text := range []string{"bad", "good"} {
		if err := w.Enqueue(t.Context(), note{text}); err != nil {
			t.Fatal(err)
		}
	}
	wait.Until(t, "the good one has run and the bad one waits", func() bool {
		return done.has("good") &&
			one(t, st, "SELECT count(*) FROM river_job WHERE state IN ('available', 'retryable') AND attempt = 1") == 1
	})
}

func TestAPeriodicJobIsQueuedOnceForAllProcesses(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	for round, kinds := range [][]Payload{{daily{}}, {daily{}, marker{}}} { // the second process queues one more kind
		jobs := NewJobs()
		Handle(jobs, func(context.Context, daily) error { done.add("daily"); return nil })
		Handle(jobs, func(context.Context, marker) error { done.add("marker"); return nil })
		for _, payload := range kinds {
			Every(jobs, 10000*time.Hour, payload)
		}
		w := newWorker(t, st, jobs)
		if err := w.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "the periodic jobs have run", func() bool { return done.has([]string{"daily", "marker"}[round]) })
		if err := w.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"daily", "marker"}, done.texts); diff != "" {
		t.Error(diff)
	}
}
