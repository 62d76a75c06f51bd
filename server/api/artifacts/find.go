package artifacts

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// job finds a job of a project and requires the ability in that project.
func (a *Artifacts) job(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.Job, error) {
	row, err := a.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Job{}, err
	}
	job, err := a.store.Jobs.Get(ctx, row.Project.ID, id)
	return row, job, apierr.OrNotFound(err)
}

// latest finds the job with that name in the latest successful pipeline of a ref.
func (a *Artifacts) latest(ctx context.Context, project, ref, name string) (model.ProjectRow, model.Job, error) {
	row, err := a.access.Project(ctx, project, access.ReadArtifact)
	if err != nil {
		return row, model.Job{}, err
	}
	job, err := a.store.Jobs.LatestWithArtifacts(ctx, row.Project.ID, ref, name)
	if store.IsNotFound(err) {
		err = apierr.NotFound("")
	}
	return row, job, err
}
