// Package environments implements the API operations on environments, deployments and freeze periods.
//
//	service.go       the dependencies, and finding an environment
//	list.go, get.go  list and show environments
//	change.go        create, change and delete environments
//	stop.go          stop an environment
//	cleanup.go       stop and delete many environments
//	deployment.go    list and show deployments
//	deploy.go        create, change and delete deployments without jobs
//	freeze_period.go freeze periods
//	protected*.go    protected environments of projects and groups
//	approval.go      approvals of deployments
package environments

import (
	"context"

	"svc/server/domain/ci/environment"
	"svc/server/domain/ci/freeze"
	"svc/server/domain/ci/protectedenvironment"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Environments implements the operations on environments and deployments.
type Environments struct {
	store        *store.Store
	access       *access.Access
	environments *environment.Service
	pages        pagination.MaxOffset
	show         present.Presenter
	freezes      *freeze.Service
	protected    *protectedenvironment.Service
}

// New returns the environment operations.
func New(
	st *store.Store, a *access.Access, environments *environment.Service, pages pagination.MaxOffset, show present.Presenter,
) *Environments {
	return &Environments{
		store: st, access: a, environments: environments, pages: pages, show: show, freezes: freeze.New(st),
		protected: protectedenvironment.New(st),
	}
}

func (e *Environments) presenter(ctx context.Context, project model.Project) present.JobPresenter {
	return e.show.OfJobs(project, clock.Now(ctx))
}

// find finds an environment of a project and requires the ability in that project.
func (e *Environments) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.Environment, error) {
	row, err := e.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Environment{}, err
	}
	found, err := e.store.Environments.Get(ctx, row.Project.ID, id)
	return row, found, err
}
