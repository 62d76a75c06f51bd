package jobs

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/engine"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// EraseProjectJob deletes the log and the artifacts of a job.
// POST /projects/{id}/jobs/{job_id}/erase
func (j *Jobs) EraseProjectJob(
	ctx context.Context, req gen.EraseProjectJobRequestObject,
) (gen.EraseProjectJobResponseObject, error) {
	row, err := j.access.Project(ctx, req.ID, access.UpdateJob)
	if err != nil {
		return nil, err
	}
	job, err := j.store.Jobs.Get(ctx, row.Project.ID, req.JobID)
	if store.IsNotFound(err) {
		return nil, apierr.RecordNotFound()
	}
	if err == nil {
		err = j.mayErase(ctx, row, job)
	}
	if err != nil {
		return nil, err
	}
	erased, err := j.logs.EraseAll(ctx, job.ID)
	if err == nil && !erased {
		err = apierr.Forbidden("Job is not erasable!")
	}
	if err != nil {
		return nil, err
	}
	shown, err := j.store.Jobs.GetRow(ctx, job.ID)
	if err != nil {
		return nil, err
	}
	return gen.EraseProjectJob201JSONResponse(j.presenter(ctx, row.Project).Job(shown)), nil
}

// mayErase refuses developers who did not start the job, and refuses developers if the ref of the job is protected.
func (j *Jobs) mayErase(ctx context.Context, row model.ProjectRow, job model.Job) error {
	protected, _, err := j.pusher.RefAccess(ctx, row, job.Ref, job.Tag)
	if err == nil && !engine.MayErase(ctx, row, job, protected) {
		err = apierr.Forbidden()
	}
	return err
}
