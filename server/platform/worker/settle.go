package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

const (
	// soon is how far in the future a job may be scheduled and still be run by Settle.
	soon = 10 * time.Second
	// settleCheck is how often Settle looks at the queue.
	settleCheck = 5 * time.Millisecond
	// wakeEvery limits the rows of wakeJob: only one for each queue is inserted in this time. River looks at the queue even
	// if it inserts none.
	wakeEvery = time.Minute
)

// wakeJob does nothing. River looks at a queue at once when a job is inserted outside of a transaction.
type wakeJob struct{}

// Kind names the job in the queue.
func (wakeJob) Kind() string { return "wake" }

// Settle runs all jobs that are due within the next seconds, and those that they queue, and waits until none is left or
// running. Tests use it, on SQLite.
func (w *Worker) Settle(ctx context.Context) error {
	for {
		if err := w.store.QueueHasten(ctx, soon); err != nil {
			return err
		}
		due, err := w.store.QueuesDue(ctx, 0, []string{wakeJob{}.Kind()})
		if err != nil || len(due) == 0 {
			return err
		}
		for _, queue := range due {
			if queue.Available == 0 {
				continue
			}
			options := &river.InsertOpts{Queue: queue.Queue, UniqueOpts: river.UniqueOpts{ByQueue: true, ByPeriod: wakeEvery}}
			if _, err := w.client.Insert(ctx, wakeJob{}, options); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("jobs are still waiting or running: %w", context.Cause(ctx))
		case <-time.After(settleCheck):
		}
	}
}

// Idle reports whether no job is running or due within the given time, and when the next job is due. The time is nil if no
// job waits. It does not count periodic jobs that wait, which come again.
func (w *Worker) Idle(ctx context.Context, within time.Duration) (idle bool, next *time.Time, err error) {
	except := []string{wakeJob{}.Kind()}
	for _, payload := range w.jobs.repeated {
		except = append(except, payload.Kind())
	}
	due, err := w.store.QueuesDue(ctx, within, except)
	if err != nil || len(due) > 0 {
		return false, nil, err
	}
	next, err = w.store.QueueNext(ctx, except)
	return err == nil, next, err
}
