// Package maintenance runs the background jobs that clean up after all other packages: one deletes expired rows, one
// maintains the search indexes.
package maintenance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/platform/worker"
	"svc/store"
	"svc/store/clock"
)

// ExpireJob is the job that deletes expired rows. Running it twice deletes nothing more.
type ExpireJob struct{}

// Kind returns the name of the job in the queue.
func (ExpireJob) Kind() string { return "expire_rows" }

// MergeSearchJob is the job that maintains the search indexes. Running it twice does nothing more.
type MergeSearchJob struct{}

// Kind returns the name of the job in the queue.
func (MergeSearchJob) Kind() string { return "tidy_search" }

// Expiry deletes the expired rows of one package.
type Expiry struct {
	Name string // the rows, for error messages
	Run  func(ctx context.Context, now time.Time) error
}

// Register adds the jobs of this package. If one of the expiries fails, the job still runs the others.
func Register(jobs *worker.Jobs, st *store.Store, expiries []Expiry) {
	worker.Handle(jobs, func(ctx context.Context, _ ExpireJob) error { return expire(ctx, expiries, clock.Now(ctx)) }, worker.Upkeep)
	worker.Every(jobs, 10*time.Minute, ExpireJob{})
	worker.Handle(jobs, func(ctx context.Context, _ MergeSearchJob) error { return st.MergeSearchIndexes(ctx) }, worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, MergeSearchJob{})
}

func expire(ctx context.Context, expiries []Expiry, now time.Time) error {
	var errs []error
	for _, e := range expiries {
		if err := e.Run(ctx, now); err != nil {
			errs = append(errs, fmt.Errorf("expire %s: %w", e.Name, err))
		}
	}
	return errors.Join(errs...)
}
