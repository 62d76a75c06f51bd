package worker

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/storetest"
	"svc/tests/wait"
)

// clocked returns a store with a clock of its own, and a context with that clock.
func clocked(t testing.TB) (*store.Store, context.Context) {
	t.Helper()
	o := storetest.Options(t)
	o.Clock = &clock.Clock{}
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st, clock.With(t.Context(), o.Clock)
}

func TestJobsWaitByTheClockOfTheService(t *testing.T) {
	t.Parallel()
	st, ctx := clocked(t)
	done, failed := &log{}, &log{}
	jobs := NewJobs()
	Handle(jobs, func(ctx context.Context, n note) error {
		if n.Text == "fails" && failed.add("failed") < 3 { // the second time, the queue waits for some seconds
			return errors.New("failed")
		}
		done.add(n.Text + " " + clock.Now(ctx).UTC().Format(time.DateOnly))
		return nil
	})
	w := newWorker(t, st, jobs)
	st.Clock().Set(time.Date(2040, 1, 1, 12, 0, 0, 0, time.UTC))
	queue := func(text string, after time.Duration) {
		if err := w.EnqueueAt(ctx, note{text}, clock.Now(ctx).Add(after)); err != nil {
			t.Fatal(err)
		}
	}
	move := func(by time.Duration) {
		if err := w.Shift(ctx, st.Clock().Set(clock.Now(ctx).Add(by))); err != nil {
			t.Fatal(err)
		}
	}
	queue("tomorrow", 24*time.Hour)
	move(-24 * time.Hour)
	queue("fails", -time.Hour)
	start(t, w)
	wait.Until(t, "a job has failed", func() bool {
		return one(t, st, "SELECT count(*) FROM river_job WHERE state = 'retryable'") == 1
	})
	move(25 * time.Hour)
	if !done.has("fails 2040-01-01") || len(done.texts) != 1 {
		t.Errorf("after 25 hours: %v", done.texts)
	}
	move(24 * time.Hour)
	if !done.has("tomorrow 2040-01-02") || len(done.texts) != 2 {
		t.Errorf("after 49 hours: %v", done.texts)
	}
}

func TestShiftEndsWithItsContext(t *testing.T) {
	t.Parallel()
	st, ctx := clocked(t)
	jobs, release := NewJobs(), make(chan struct{})
	Handle(jobs, func(context.Context, note) error { <-release; return nil })
	w := newWorker(t, st, jobs)
	start(t, w)
	t.Cleanup(func() { close(release) })
	if err := w.EnqueueAt(ctx, note{"x"}, clock.Now(ctx).Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if err := w.Shift(ctx, 2*time.Hour); err == nil {
		t.Error("it has not waited for the job")
	}
}

func TestPeriodicJobsCanRunAtOnce(t *testing.T) {
	t.Parallel()
	done := &log{}
	jobs := NewJobs()
	Handle(jobs, func(context.Context, daily) error { done.add("daily"); return errors.New("failed") })
	Handle(jobs, func(context.Context, marker) error { done.add("marker"); return nil })
	Handle(jobs, func(context.Context, note) error { done.add("note"); return nil })
	Every(jobs, 24*time.Hour, daily{})
	Every(jobs, time.Hour, marker{})
	err := newWorker(t, storetest.New(t), jobs).RunPeriodic(t.Context())
	if err == nil || err.Error() != "run daily: failed" || strings.Join(done.texts, " ") != "daily marker" {
		t.Errorf("%v: %v", err, done.texts)
	}
}
