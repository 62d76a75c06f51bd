package jobs

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/ci/engine"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// CancelProjectJob cancels a job.
// POST /projects/{id}/jobs/{job_id}/cancel
func (j *Jobs) CancelProjectJob(
	ctx context.Context, req gen.CancelProjectJobRequestObject,
) (gen.CancelProjectJobResponseObject, error) {
	row, job, err := j.findForUpdate(ctx, req.ID, req.JobID, access.UpdateJob)
	if err != nil {
		return nil, err
	}
	if err := j.engine.Cancel(ctx, job); err != nil {
		return nil, err
	}
	shown, err := j.store.Jobs.GetRow(ctx, job.ID)
	if err != nil {
		return nil, err
	}
	return gen.CancelProjectJob201JSONResponse(j.presenter(ctx, row.Project).Job(shown)), nil
}

// RetryProjectJob runs a job again.
// POST /projects/{id}/jobs/{job_id}/retry
func (j *Jobs) RetryProjectJob(
	ctx context.Context, req gen.RetryProjectJobRequestObject,
) (gen.RetryProjectJobResponseObject, error) {
	row, job, err := j.findForUpdate(ctx, req.ID, req.JobID, access.UpdateJob)
	if err != nil {
		return nil, err
	}
	fresh, err := j.engine.Retry(ctx, job, reqctx.Of(ctx).Actor.User.ID)
	if errors.Is(err, engine.ErrWrongStatus) {
		return nil, apierr.Forbidden("Job is not retryable")
	}
	if err != nil {
		return nil, err
	}
	shown, err := j.store.Jobs.GetRow(ctx, fresh.ID)
	if err != nil {
		return nil, err
	}
	return gen.RetryProjectJob201JSONResponse(j.presenter(ctx, row.Project).Job(shown)), nil
}
