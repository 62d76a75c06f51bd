// Package jobs is the jobs of pipelines.
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

// Jobs are the operations on jobs.
type Jobs struct {
	store  *store.Store
	access *access.Access
	engine *engine.Engine
	logs   *logs.Logs
	pusher *push.Pusher
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New takes how projects are judged, what moves jobs, their logs, and who knows the rules of refs.
func New(st *store.Store, a *access.Access, e *engine.Engine, l *logs.Logs, pusher *push.Pusher, pages pagination.MaxOffset, show present.Presenter) *Jobs {
	return &Jobs{store: st, access: a, engine: e, logs: l, pusher: pusher, pages: pages, show: show}
}

// shower shows jobs of a project as they are now.
func (j *Jobs) shower(project model.Project) present.JobShow {
	return present.JobShow{Presenter: j.show, Project: project, Now: time.Now()}
}

// own finds the job whose token the caller came with. Callers with another credential have none.
func (j *Jobs) own(ctx context.Context, ability access.Ability) (model.JobRow, model.Project, error) {
	actor, err := access.Allow(ctx, ability)
	if err != nil {
		return model.JobRow{}, model.Project{}, err
	}
	if actor.Job == nil {
		return model.JobRow{}, model.Project{}, apierr.NotFound("Job")
	}
	row, err := j.store.Jobs.Row(ctx, actor.Job.ID)
	if err != nil {
		return row, model.Project{}, err
	}
	project, err := j.store.Projects.Get(ctx, row.Job.ProjectID, "", nil)
	return row, project.Project, err
}

// mine finds a job or bridge that the caller may change: on a protected ref only those may who could push or merge there.
func (j *Jobs) mine(ctx context.Context, project string, id int64, ability access.Ability) (model.ProjectRow, model.Job, error) {
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
