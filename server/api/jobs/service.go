// Package jobs implements the API operations on the jobs of pipelines.
//
//	service.go        the dependencies
//	find.go           find a job that the caller may change
//	list.go           list the jobs of a project
//	get.go            read a job
//	pipeline.go       the jobs and bridges of a pipeline
//	action.go         cancel and retry a job
//	play.go           start a manual job
//	erase.go          delete the log and the artifacts of a job
//	trace.go          the log of a job
//	allowed_agent.go  the agents that a job may use
package jobs

import (
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/logs"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Jobs implements the operations on jobs.
type Jobs struct {
	store  *store.Store
	access *access.Access
	engine *engine.Engine
	logs   *logs.Logs
	pusher *push.Pusher
	pages  pagination.MaxOffset
	show   present.Presenter
}

// Dependencies are the dependencies of the job operations.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Engine    *engine.Engine
	Logs      *logs.Logs
	Pusher    *push.Pusher
	Pages     pagination.MaxOffset
	Presenter present.Presenter
}

// New returns the job operations.
func New(d Dependencies) *Jobs {
	return &Jobs{
		store: d.Store, access: d.Access, engine: d.Engine, logs: d.Logs, pusher: d.Pusher, pages: d.Pages,
		show: d.Presenter,
	}
}
