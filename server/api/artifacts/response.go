package artifacts

import (
	"context"
	"net/http"

	"svc/server/domain/ci/download"
)

// fileResponse is the response that downloads a file.
type fileResponse struct {
	ctx  context.Context // a field, because the generated Visit methods have no context parameter
	file download.File
}

// VisitGetProjectJobArtifactsResponse sends the file.
func (s *fileResponse) VisitGetProjectJobArtifactsResponse(w http.ResponseWriter) error {
	return s.file.Send(s.ctx, w)
}

// VisitGetProjectJobArtifactResponse sends the file.
func (s *fileResponse) VisitGetProjectJobArtifactResponse(w http.ResponseWriter) error {
	return s.file.Send(s.ctx, w)
}

// VisitGetProjectJobsArtifactDownloadResponse sends the file.
func (s *fileResponse) VisitGetProjectJobsArtifactDownloadResponse(w http.ResponseWriter) error {
	return s.file.Send(s.ctx, w)
}

// VisitGetProjectJobsArtifactRawResponse sends the file.
func (s *fileResponse) VisitGetProjectJobsArtifactRawResponse(w http.ResponseWriter) error {
	return s.file.Send(s.ctx, w)
}
