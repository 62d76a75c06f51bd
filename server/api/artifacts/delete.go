package artifacts

import (
	"context"

	"svc/gen"
	files "svc/server/domain/ci/artifacts"
	"svc/server/platform/access"
	"svc/store/clock"
)

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
	if err := a.enqueue(ctx, files.EmptyJob{ProjectID: row.Project.ID, Before: clock.Now(ctx).UTC()}); err != nil {
		return nil, err
	}
	return gen.DeleteProjectArtifacts202JSONResponse{Message: "202 Accepted"}, nil
}
