// Package fetch counts how often clients clone or fetch the repositories of projects.
package fetch

import (
	"context"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// days is the number of days that are counted, today included.
const days = 30

// countTime is the longest time that counting a fetch may take.
const countTime = 5 * time.Second

// Count counts one fetch of a project, also if the client has disconnected.
func Count(ctx context.Context, st *store.Store, projectID int64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), countTime)
	defer cancel()
	return st.ProjectFetches.Add(ctx, projectID, clock.Now(ctx))
}

// Recent returns the days of the last 30 days on which the project was fetched, the newest first.
func Recent(ctx context.Context, st *store.Store, projectID int64) ([]model.ProjectFetch, error) {
	return st.ProjectFetches.Since(ctx, projectID, first(clock.Now(ctx)))
}

// Expire deletes the counts of days that are not shown any more.
func Expire(ctx context.Context, st *store.Store, now time.Time) error {
	return st.ProjectFetches.DeleteBefore(ctx, first(now))
}

// first returns a time of the first day that is counted.
func first(now time.Time) time.Time { return now.UTC().AddDate(0, 0, 1-days) }
