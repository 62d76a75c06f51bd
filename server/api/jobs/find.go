package jobs

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// presenter returns the presenter for the jobs of a project.
func (j *Jobs) presenter(ctx context.Context, project model.Project) present.JobPresenter {
	return j.show.OfJobs(project, clock.Now(ctx))
}

// findForUpdate finds a job or bridge that the caller may change. On a protected ref, the caller must also be allowed to
// push or merge.
func (j *Jobs) findForUpdate(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.Job, error) {
	row, err := j.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Job{}, err
	}
	job, err := j.store.Jobs.GetAny(ctx, row.Project.ID, id)
	if err != nil {
		return row, job, apierr.OrNotFound(err)
	}
	allowed, err := j.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return row, job, err
}
