package maintenance

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"svc/server/platform/worker"
	"svc/store/storetest"
)

func TestExpireRunsWhenTheServerStarts(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	ran := make(chan struct{})
	var once atomic.Bool
	jobs := worker.NewJobs()
	Register(jobs, st, []Expiry{{Name: "rows", Run: func(context.Context, time.Time) error {
		if once.CompareAndSwap(false, true) {
			close(ran)
		}
		return nil
	}}})
	w, err := worker.New(st, slog.New(slog.DiscardHandler), jobs)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ran:
	case <-time.After(30 * time.Second):
		t.Error("after 30 s nothing has expired")
	}
	if err := w.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAnExpiryThatFailsDoesNotKeepTheOthersFromRunning(t *testing.T) {
	t.Parallel()
	failed, ran := errors.New("failed"), false
	err := expire(t.Context(), []Expiry{
		{Name: "sessions", Run: func(context.Context, time.Time) error { return failed }},
		{Name: "events", Run: func(context.Context, time.Time) error { ran = true; return nil }},
	}, time.Now())
	if !errors.Is(err, failed) || err.Error() != "expire sessions: failed" || !ran {
		t.Errorf("%v, the second ran: %t", err, ran)
	}
}
