package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/store"
	"svc/store/clock"
)

// The queue itself runs by the system time. A time that comes from the clock of the service is converted when a job is
// queued, and Shift converts the times of waiting jobs when that clock was moved.

// systemTime returns the system time at which the clock of the context will show a time, if nobody moves it.
func systemTime(ctx context.Context, at time.Time) time.Time {
	return time.Now().Add(at.Sub(clock.Now(ctx)))
}

// Shift adapts the jobs that wait for their time, including failed ones that wait for another attempt, after the clock of
// the service was moved by a duration. If this process runs jobs, Shift returns when the jobs whose time has come have
// ended.
func (w *Worker) Shift(ctx context.Context, by time.Duration) error {
	due, err := w.store.QueueShift(ctx, by)
	if err != nil || !w.running.Load() {
		return err
	}
	look := time.NewTicker(shiftPoll)
	defer look.Stop()
	for {
		if left, err := w.store.QueueUnfinished(ctx, due); err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		}
	}
}

// shiftPoll is how often Shift looks whether jobs have ended.
const shiftPoll = 20 * time.Millisecond

// RunPeriodic runs every periodic job once, now, and returns when all have ended. They decide by the clock of the context
// what is due. If one of them fails, the others still run.
func (w *Worker) RunPeriodic(ctx context.Context) error {
	ctx = store.Background(ctx)
	var errs []error
	for _, payload := range w.jobs.repeated {
		if err := w.jobs.runs[payload.Kind()](ctx, payload); err != nil {
			errs = append(errs, fmt.Errorf("run %s: %w", payload.Kind(), err))
		}
	}
	return errors.Join(errs...)
}
