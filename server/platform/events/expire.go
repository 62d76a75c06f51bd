package events

import (
	"context"
	"time"
)

// yearsKept is for how many years events are kept.
const yearsKept = 3

// expireBatch is how many events a transaction deletes, and maxBatches how many transactions one run makes. The next run
// continues.
const (
	expireBatch = 1000
	maxBatches  = 100
)

// Expire deletes old events in small batches, so that no other transaction waits for long.
func (r *Recorder) Expire(ctx context.Context, now time.Time) error {
	for range maxBatches {
		n, err := r.store.Events.DeleteBefore(ctx, now.AddDate(-yearsKept, 0, 0), expireBatch)
		if err != nil || n < expireBatch {
			return err
		}
	}
	return nil
}
