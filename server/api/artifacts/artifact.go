package artifacts

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"

	"svc/gen"
	files "svc/server/domain/ci/artifacts"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/model"
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

func (a *Artifacts) downloadArchive(ctx context.Context, row model.ProjectRow, job model.Job) (*fileResponse, error) {
	archive, err := a.archive(ctx, row, job)
	if err != nil {
		return nil, err
	}
	return &fileResponse{respond.Stream{
		Context: ctx, Type: "application/zip", Disposition: contentDisposition("attachment", archive.Filename),
		CacheControl: respond.NoCache, ETag: `"` + archive.SHA256 + `"`, Size: archive.Size,
		Open: func(offset, length int64) (io.ReadCloser, error) { return a.files.Open(ctx, archive, offset, length) },
	}}, nil
}

func (a *Artifacts) downloadEntry(ctx context.Context, row model.ProjectRow, job model.Job, name string) (*fileResponse, error) {
	archive, err := a.archive(ctx, row, job)
	if err != nil {
		return nil, err
	}
	entry, err := a.files.Entry(ctx, archive, name)
	if err != nil {
		return nil, apiError(err)
	}
	return &fileResponse{respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8", Disposition: contentDisposition("inline", path.Base(name)),
		CacheControl: respond.NoCache, ETag: `"` + archive.SHA256 + "-" + entry.Checksum() + `"`, Size: entry.Size, Sandboxed: true,
		Open: func(offset, _ int64) (io.ReadCloser, error) {
			from, err := entry.Open(offset)
			return from, apiError(err)
		},
	}}, nil
}

// apiError turns an error of the archive into the API error that the contract describes.
func apiError(err error) error {
	switch {
	case errors.Is(err, files.ErrPath):
		return apierr.BadRequest()
	case errors.Is(err, files.ErrNoEntry):
		return apierr.NotFound("")
	}
	return err
}

// contentDisposition returns a Content-Disposition header for a file. It removes control characters from the name, and leaves the
// name out if no header can hold it.
func contentDisposition(what, name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, name)
	if header := mime.FormatMediaType(what, map[string]string{"filename": name}); header != "" {
		return header
	}
	return what
}

// fileResponse is the response that downloads a file.
type fileResponse struct{ respond.Stream }

// VisitGetProjectJobArtifactsResponse sends the file.
func (s *fileResponse) VisitGetProjectJobArtifactsResponse(w http.ResponseWriter) error {
	return s.Send(w)
}

// VisitGetProjectJobArtifactResponse sends the file.
func (s *fileResponse) VisitGetProjectJobArtifactResponse(w http.ResponseWriter) error {
	return s.Send(w)
}

// VisitGetProjectJobsArtifactDownloadResponse sends the file.
func (s *fileResponse) VisitGetProjectJobsArtifactDownloadResponse(w http.ResponseWriter) error {
	return s.Send(w)
}

// VisitGetProjectJobsArtifactRawResponse sends the file.
func (s *fileResponse) VisitGetProjectJobsArtifactRawResponse(w http.ResponseWriter) error {
	return s.Send(w)
}
