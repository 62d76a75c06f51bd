// Package statistics implements the API operations that count: things on the instance, background jobs, the activity
// in groups, and fetches of projects.
package statistics

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/worker"
	"svc/store"
)

// Statistics implements the operations that count.
type Statistics struct {
	store  *store.Store
	access *access.Access
	queue  func(ctx context.Context) (worker.Numbers, error)
}

// New returns the operations. queue counts the background jobs.
func New(st *store.Store, a *access.Access, queue func(ctx context.Context) (worker.Numbers, error)) *Statistics {
	return &Statistics{store: st, access: a, queue: queue}
}
