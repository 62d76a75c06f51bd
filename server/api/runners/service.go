// Package runners holds the operations on runners (create, list, change), and those that runners call (request a job,
// update it, send its log and artifacts).
//
//	service.go       the operations' dependencies
//	list.go          lists of runners, their machines and their jobs
//	runner.go        show, change, delete and assign runners; registration tokens
//	registration.go  create, register and verify runners; authentication tokens
//	caller.go        which runner or job sends a request
//	request.go       a runner asks for a job
//	job.go           a runner updates a job and its log
//	artifact.go      uploads and downloads of artifacts by jobs
//	audit.go         audit events
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

// Runners holds the operations on runners and those that runners call.
type Runners struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
	Dependencies
}

// Dependencies are the services that run jobs, and their settings.
type Dependencies struct {
	Engine *engine.Engine
	Queue  *queue.Queue
	Logs   *logs.Logs
	Files  *artifacts.Service
	Poll   time.Duration // how long a request for a job waits
	Expire time.Duration // default lifetime of artifacts; 0 for unlimited
}

// New returns the runner operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter, d Dependencies) *Runners {
	return &Runners{store: st, access: a, pages: pages, show: show, Dependencies: d}
}
