package worker

import (
	"context"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/wait"
)

func TestCheckTellsWhetherJobsAreWorked(t *testing.T) {
	t.Parallel()
	jobs := NewJobs()
	Handle(jobs, func(context.Context, note) error { return nil })
	w := newWorker(t, storetest.New(t), jobs)
	if err := w.Check(t.Context()); err == nil {
		t.Error("it works before its start")
	}
	if err := w.Stop(t.Context()); err != nil {
		t.Errorf("stopping what was never started: %v", err)
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := w.Stop(t.Context()); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
	if err := w.Check(t.Context()); err == nil {
		t.Error("it works after its end")
	}
}

func TestStopLetsARunningJobFinish(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	begun, release := make(chan struct{}), make(chan struct{})
	jobs := NewJobs()
	Handle(jobs, func(ctx context.Context, _ note) error {
		close(begun)
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	w := newWorker(t, st, jobs)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Enqueue(t.Context(), note{"x"}); err != nil {
		t.Fatal(err)
	}
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- w.Stop(t.Context()) }()
	wait.Until(t, "stopping has begun", func() bool { return w.Check(t.Context()) != nil })
	select {
	case err := <-stopped:
		t.Fatalf("stopped while a job runs: %v", err)
	default:
	}
	close(release)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if got := one(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed'"); got != 1 {
		t.Errorf("%d jobs completed, want 1", got)
	}
}

func TestAJobThatStopCancelsRunsAgainLater(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	begun := make(chan struct{})
	jobs := NewJobs()
	Handle(jobs, func(ctx context.Context, _ note) error {
		close(begun)
		<-ctx.Done() // respects its context, but nothing else
		return ctx.Err()
	})
	w := newWorker(t, st, jobs)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Enqueue(t.Context(), note{"x"}); err != nil {
		t.Fatal(err)
	}
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := w.Stop(ctx); err != nil {
		t.Errorf("stop: %v", err)
	}
	if got := one(t, st, "SELECT count(*) FROM river_job WHERE state IN ('available', 'retryable') AND attempt = 1"); got != 1 {
		t.Errorf("%d jobs wait for another attempt, want 1", got)
	}

	again := make(chan struct{})
	jobs = NewJobs()
	Handle(jobs, func(context.Context, note) error { close(again); return nil })
	start(t, newWorker(t, st, jobs))
	select {
	case <-again:
	case <-time.After(deadline):
		t.Error("it did not run again")
	}
}
