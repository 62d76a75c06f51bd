package repositories

import (
	"net/http"

	"svc/server/platform/respond"
)

// archiveResponse is an archive as a response.
type archiveResponse struct{ respond.Archive }

// VisitGetProjectRepositoryArchiveResponse writes the archive.
func (p archiveResponse) VisitGetProjectRepositoryArchiveResponse(w http.ResponseWriter) error {
	return p.Send(w)
}

// VisitGetProjectRepositoryArchiveFormatResponse writes the archive.
func (p archiveResponse) VisitGetProjectRepositoryArchiveFormatResponse(w http.ResponseWriter) error {
	return p.Send(w)
}
