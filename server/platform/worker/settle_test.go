package worker

import (
	"context"
	"testing"
	"time"

	"svc/store/storetest"
)

func TestSettleRunsWhatIsDueSoonAndWhatThatQueues(t *testing.T) {
	t.Parallel()
	st, seen, jobs := storetest.New(t), &log{}, NewJobs()
	jobs.NoJobsAtStart = true
	var w *Worker
	Handle(jobs, func(ctx context.Context, n note) error {
		seen.add(n.Text)
		if n.Text == "first" {
			return w.Enqueue(ctx, note{"queued by the first"})
		}
		return nil
	})
	Handle(jobs, func(context.Context, daily) error {
		seen.add("daily")
		return nil
	}, Upkeep)
	Every(jobs, 24*time.Hour, daily{})
	w = newWorker(t, st, jobs)
	start(t, w)
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	later := time.Now().Add(time.Hour)
	for text, at := range map[string]time.Time{
		"first": time.Now(), "in three seconds": time.Now().Add(3 * time.Second), "in an hour": later,
	} {
		if err := w.EnqueueAt(ctx, note{text}, at); err != nil {
			t.Fatal(err)
		}
	}
	if idle, _, err := w.Idle(ctx, time.Second); err != nil || idle {
		t.Errorf("before: %v %v", idle, err)
	}
	if err := w.Settle(ctx); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"first": true, "queued by the first": true, "in three seconds": true, "in an hour": false, "daily": false,
	} {
		if seen.has(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
	idle, next, err := w.Idle(ctx, time.Second)
	if err != nil || !idle || next == nil || next.Sub(later).Abs() > time.Second {
		t.Errorf("after: %v %v %v", idle, next, err)
	}
}

func TestSettleGivesUpWhenItsTimeEnds(t *testing.T) {
	t.Parallel()
	st, jobs := storetest.New(t), NewJobs()
	held := make(chan struct{})
	Handle(jobs, func(context.Context, note) error {
		<-held
		return nil
	})
	w := newWorker(t, st, jobs)
	start(t, w)
	t.Cleanup(func() { close(held) }) // before the queue stops
	if err := w.Enqueue(t.Context(), note{"long"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := w.Settle(ctx); err == nil {
		t.Error("it has settled")
	}
}
