package artifacts

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/clock"
)

// KeepProjectJobArtifacts keeps the artifacts of a job forever.
// POST /projects/{id}/jobs/{job_id}/artifacts/keep
func (a *Artifacts) KeepProjectJobArtifacts(
	ctx context.Context, req gen.KeepProjectJobArtifactsRequestObject,
) (gen.KeepProjectJobArtifactsResponseObject, error) {
	row, job, err := a.job(ctx, req.ID, req.JobID, access.UpdateJob)
	if err != nil {
		return nil, err
	}
	allowed, err := a.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	kept, err := a.store.JobArtifacts.ClearExpiry(ctx, job.ID)
	if err == nil && !kept {
		err = apierr.NotFound("")
	}
	if err != nil {
		return nil, err
	}
	shown, err := a.store.Jobs.GetRow(ctx, job.ID)
	if err != nil {
		return nil, err
	}
	show := present.JobPresenter{Presenter: a.show, Project: row.Project, Now: clock.Now(ctx)}
	return gen.KeepProjectJobArtifacts200JSONResponse(show.Job(shown)), nil
}
