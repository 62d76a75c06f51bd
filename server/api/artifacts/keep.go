package artifacts

import (
	"context"
	"time"

	"svc/gen"
	files "svc/server/domain/ci/artifacts"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
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
	shown, show, err := a.reloadJob(ctx, row, job.ID)
	if err != nil {
		return nil, err
	}
	return gen.KeepProjectJobArtifacts200JSONResponse(show.Job(shown)), nil
}

// DeleteProjectJobArtifacts deletes the artifacts of a job.
// DELETE /projects/{id}/jobs/{job_id}/artifacts
func (a *Artifacts) DeleteProjectJobArtifacts(
	ctx context.Context, req gen.DeleteProjectJobArtifactsRequestObject,
) (gen.DeleteProjectJobArtifactsResponseObject, error) {
	_, job, err := a.job(ctx, req.ID, req.JobID, access.AdminArtifact)
	if err != nil {
		return nil, err
	}
	if err := a.files.Delete(ctx, job.ID); err != nil {
		return nil, err
	}
	return gen.DeleteProjectJobArtifacts204Response{}, nil
}

// DeleteProjectArtifacts deletes the artifacts of all jobs of a project in the background.
// DELETE /projects/{id}/artifacts
func (a *Artifacts) DeleteProjectArtifacts(
	ctx context.Context, req gen.DeleteProjectArtifactsRequestObject,
) (gen.DeleteProjectArtifactsResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminArtifact)
	if err != nil {
		return nil, err
	}
	if err := a.enqueue(ctx, files.EmptyJob{ProjectID: row.Project.ID, Before: time.Now().UTC()}); err != nil {
		return nil, err
	}
	return gen.DeleteProjectArtifacts202JSONResponse{Message: "202 Accepted"}, nil
}
