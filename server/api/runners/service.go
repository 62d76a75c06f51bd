// Package runners holds the operations on runners (create, list, change), and those that runners call (request a job,
// update it, send its log and artifacts).
//
//	service.go             the dependencies
//	find.go                find a runner that the caller may see or manage
//	list.go, filter.go     list runners
//	list_details.go        list the machines and the jobs of a runner
//	get.go                 show a runner
//	create.go, owner.go    create a runner for the instance, a group or a project
//	register.go            runners register, verify and delete themselves
//	update.go              change a runner
//	delete.go              delete a runner
//	assign.go              assign a runner to a project
//	token.go               authentication tokens
//	registration_token.go  registration tokens
//	request.go             a runner requests a job
//	update_job.go          a runner updates a job
//	trace.go               a runner sends the log of a job
//	upload.go              a job uploads an artifact
//	download.go            a job downloads artifacts
package runners

import (
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/runner"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Runners holds the operations on runners and those that runners call.
type Runners struct {
	store   *store.Store
	access  *access.Access
	runners *runner.Service
	files   *artifacts.Service
	poll    time.Duration
	pages   pagination.MaxOffset
	show    present.Presenter
}

// Dependencies are the dependencies of the runner operations.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Runners   *runner.Service
	Artifacts *artifacts.Service
	Poll      time.Duration // how long a request for a job waits
	Pages     pagination.MaxOffset
	Presenter present.Presenter
}

// New returns the runner operations.
func New(d Dependencies) *Runners {
	return &Runners{
		store: d.Store, access: d.Access, runners: d.Runners, files: d.Artifacts, poll: d.Poll, pages: d.Pages,
		show: d.Presenter,
	}
}
