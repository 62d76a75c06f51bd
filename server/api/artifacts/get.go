package artifacts

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectJobArtifacts downloads the artifacts archive of a job.
// GET /projects/{id}/jobs/{job_id}/artifacts
func (a *Artifacts) GetProjectJobArtifacts(
	ctx context.Context, req gen.GetProjectJobArtifactsRequestObject,
) (gen.GetProjectJobArtifactsResponseObject, error) {
	row, job, err := a.job(ctx, req.ID, req.JobID, access.ReadArtifact)
	if err != nil {
		return nil, err
	}
	return a.downloadArchive(ctx, row, job)
}

// GetProjectJobArtifact downloads one file from the artifacts archive of a job.
// GET /projects/{id}/jobs/{job_id}/artifacts/{artifact_path}
func (a *Artifacts) GetProjectJobArtifact(
	ctx context.Context, req gen.GetProjectJobArtifactRequestObject,
) (gen.GetProjectJobArtifactResponseObject, error) {
	row, job, err := a.job(ctx, req.ID, req.JobID, access.ReadArtifact)
	if err != nil {
		return nil, err
	}
	return a.downloadEntry(ctx, row, job, req.ArtifactPath)
}

// GetProjectJobsArtifactDownload downloads the artifacts archive of a job in the latest successful pipeline of a ref.
// GET /projects/{id}/jobs/artifacts/{ref_name}/download
func (a *Artifacts) GetProjectJobsArtifactDownload(
	ctx context.Context, req gen.GetProjectJobsArtifactDownloadRequestObject,
) (gen.GetProjectJobsArtifactDownloadResponseObject, error) {
	row, job, err := a.latest(ctx, req.ID, req.RefName, req.Params.Job)
	if err != nil {
		return nil, err
	}
	return a.downloadArchive(ctx, row, job)
}

// GetProjectJobsArtifactRaw downloads one file from the artifacts archive of a job in the latest successful pipeline of
// a ref.
// GET /projects/{id}/jobs/artifacts/{ref_name}/raw/{artifact_path}
func (a *Artifacts) GetProjectJobsArtifactRaw(
	ctx context.Context, req gen.GetProjectJobsArtifactRawRequestObject,
) (gen.GetProjectJobsArtifactRawResponseObject, error) {
	row, job, err := a.latest(ctx, req.ID, req.RefName, req.Params.Job)
	if err != nil {
		return nil, err
	}
	return a.downloadEntry(ctx, row, job, req.ArtifactPath)
}
