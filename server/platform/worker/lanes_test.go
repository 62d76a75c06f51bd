package worker

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/wait"
)

type letter struct{ N int }

func (letter) Kind() string { return "letter" }

func TestALaneThatIsStuckHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	var stuck atomic.Int64
	jobs := NewJobs()
	Handle(jobs, func(ctx context.Context, _ letter) error {
		stuck.Add(1)
		<-ctx.Done()
		return ctx.Err()
	}, Mail)
	Handle(jobs, func(_ context.Context, n note) error { done.add(n.Text); return nil })
	w := newWorker(t, st, jobs)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	workers := workersOf[Mail.queue].MaxWorkers
	for n := range workers + 5 {
		if err := w.Enqueue(t.Context(), letter{n}); err != nil {
			t.Fatal(err)
		}
	}
	wait.Until(t, "all workers of the lane are stuck", func() bool { return stuck.Load() == int64(workers) })
	if err := w.Enqueue(t.Context(), note{"pipeline"}); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "another lane goes on", func() bool { return done.has("pipeline") })

	// Stop does not wait for mails until the end: a quarter of the time is enough.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	began := time.Now()
	if err := w.Stop(ctx); err != nil || time.Since(began) > 15*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
	if n := one(t, st, "SELECT count(*) FROM river_job WHERE kind = 'letter' AND state = 'completed'"); n > 0 {
		t.Errorf("%d letters that were broken off count as done", n)
	}
}

func TestWhatPeopleWaitForComesFirst(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	jobs := NewJobs()
	Handle(jobs, func(_ context.Context, n note) error { done.add(n.Text); return nil }, Later)
	Handle(jobs, func(context.Context, marker) error { done.add("first"); return nil })
	w := newWorker(t, st, jobs)
	const waiting = 40
	for n := range waiting {
		if err := w.Enqueue(t.Context(), note{fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Enqueue(t.Context(), marker{}); err != nil {
		t.Fatal(err)
	}
	start(t, w)
	wait.Until(t, "all is done", func() bool {
		return one(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed'") == waiting+1
	})
	for i, text := range done.texts {
		if text == "first" && i >= workersOf[Interactive.queue].MaxWorkers {
			t.Errorf("%d others came before it", i)
		}
	}
}

// A job that ignores its context cannot be cancelled; the process ends nevertheless.
func TestStopEndsInTimeThoughAJobDoesNot(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	begun, release := make(chan struct{}), make(chan struct{})
	jobs := NewJobs()
	Handle(jobs, func(context.Context, note) error { close(begun); <-release; return nil })
	w := newWorker(t, st, jobs)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { close(release) })
	if err := w.Enqueue(t.Context(), note{"x"}); err != nil {
		t.Fatal(err)
	}
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := w.Stop(ctx); err != nil {
		t.Error(err)
	}
}
