// Package runners is programs that run jobs: how they are made and managed, and how they talk to the service.
package runners

import (
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/logs"
	"svc/server/domain/ci/queue"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Runners are the operations on runners, and of runners.
type Runners struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
	Parts
}

// Parts are what jobs are run with.
type Parts struct {
	Engine *engine.Engine
	Queue  *queue.Queue
	Logs   *logs.Logs
	Files  *artifacts.Keeper
	Poll   time.Duration // how long a runner waits for a job
	Expire time.Duration // after which artifacts expire that say nothing about it; 0 for never
}

// New takes how projects and groups are judged, and what jobs are run with.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter, parts Parts) *Runners {
	return &Runners{store: st, access: a, pages: pages, show: show, Parts: parts}
}
