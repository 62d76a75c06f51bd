package artifacts

import (
	"net/http"

	"svc/server/platform/respond"
)

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
