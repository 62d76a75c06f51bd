// Package jobs implements the API operations on the jobs of pipelines.
//
//	service.go        construction, and finding a job
//	job.go            read and list the jobs of a project
//	pipeline.go       the jobs and bridges of a pipeline
//	action.go         cancel and retry a job
//	play.go           start a manual job
//	erase.go          delete the log and the artifacts of a job
//	trace.go          the log of a job
//	allowed_agent.go  the agents that a job may use
package jobs

import (
	"context"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/logs"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
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
		store: d.Store, access: d.Access, engine: d.Engine, logs: d.Logs, pusher: d.Pusher, pages: d.Pages, show: d.Presenter,
	}
}

// presenter returns the presenter for the jobs of a project.
func (j *Jobs) presenter(project model.Project) present.JobPresenter {
	return present.JobPresenter{Presenter: j.show, Project: project, Now: time.Now()}
}

// tokenJob finds the job whose token authenticated the request. With any other credential it returns a 404.
func (j *Jobs) tokenJob(ctx context.Context, ability access.Ability) (model.JobRow, model.Project, error) {
	actor, err := access.Allow(ctx, ability)
	if err != nil {
		return model.JobRow{}, model.Project{}, err
	}
	if actor.Job == nil {
		return model.JobRow{}, model.Project{}, apierr.NotFound("Job")
	}
	row, err := j.store.Jobs.GetRow(ctx, actor.Job.ID)
	if err != nil {
		return row, model.Project{}, err
	}
	project, err := j.store.Projects.Get(ctx, row.Job.ProjectID, "", nil)
	return row, project.Project, err
}

// findForUpdate finds a job or bridge that the caller may change. On a protected ref, the caller must also be allowed to push or
// merge.
func (j *Jobs) findForUpdate(ctx context.Context, project string, id int64, ability access.Ability) (model.ProjectRow, model.Job, error) {
	row, err := j.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Job{}, err
	}
	job, err := j.store.Jobs.GetAny(ctx, row.Project.ID, id)
	if store.IsNotFound(err) {
		return row, job, apierr.RecordNotFound()
	}
	if err != nil {
		return row, job, err
	}
	allowed, err := j.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return row, job, err
}
