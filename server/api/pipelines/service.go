// Package pipelines creates, lists, cancels, retries and deletes the pipelines of projects, and shows their test
// reports.
//
//	service.go                    the dependencies
//	find.go                       find and present a pipeline
//	list.go, get.go               list and show pipelines
//	create.go, delete.go          create and delete pipelines
//	action.go                     cancel and retry pipelines
//	metadata.go                   rename a pipeline
//	variables.go                  the variables of a pipeline
//	report.go, report_summary.go  the test results of a pipeline
//	suite.go                      read the test reports of jobs
package pipelines

import (
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/report"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
)

// Pipelines are the operations on pipelines.
type Pipelines struct {
	store   *store.Store
	access  *access.Access
	repos   *git.Repositories
	engine  *engine.Engine
	launch  *launch.Launcher
	reports *report.Service
	pusher  *push.Pusher
	pages   pagination.MaxOffset
	show    present.Presenter
}

// Dependencies are the dependencies of the pipeline operations.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Repositories *git.Repositories
	Engine       *engine.Engine
	Launcher     *launch.Launcher
	Reports      *report.Service
	Pusher       *push.Pusher
	Pages        pagination.MaxOffset
	Presenter    present.Presenter
}

// New returns the pipeline operations.
func New(d Dependencies) *Pipelines {
	return &Pipelines{
		store: d.Store, access: d.Access, repos: d.Repositories, engine: d.Engine, launch: d.Launcher,
		reports: d.Reports, pusher: d.Pusher, pages: d.Pages, show: d.Presenter,
	}
}
