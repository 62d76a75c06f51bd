package jobs

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// GetJob returns the job of the job token.
// GET /job
func (j *Jobs) GetJob(ctx context.Context, _ gen.GetJobRequestObject) (gen.GetJobResponseObject, error) {
	row, project, err := j.tokenJob(ctx, access.ReadOwnJob)
	if err != nil {
		return nil, err
	}
	return gen.GetJob200JSONResponse(j.presenter(ctx, project).Job(row)), nil
}

// GetProjectJob returns a job.
// GET /projects/{id}/jobs/{job_id}
func (j *Jobs) GetProjectJob(
	ctx context.Context, req gen.GetProjectJobRequestObject,
) (gen.GetProjectJobResponseObject, error) {
	row, err := j.access.Project(ctx, req.ID, access.ReadJob)
	if err != nil {
		return nil, err
	}
	job, err := j.store.Jobs.GetRow(ctx, req.JobID)
	if store.IsNotFound(err) || err == nil && (job.Job.ProjectID != row.Project.ID || job.Job.Bridge) {
		return nil, apierr.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	return gen.GetProjectJob200JSONResponse(j.presenter(ctx, row.Project).Job(job)), nil
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
