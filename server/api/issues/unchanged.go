package issues

import "net/http"

// unchanged is the response 304: the state is already the one that the caller wants.
type unchanged struct{}

// VisitSubscribeProjectIssueResponse writes the response.
func (unchanged) VisitSubscribeProjectIssueResponse(w http.ResponseWriter) error { return write(w) }

// VisitUnsubscribeProjectIssueResponse writes the response.
func (unchanged) VisitUnsubscribeProjectIssueResponse(w http.ResponseWriter) error { return write(w) }

// VisitCreateProjectIssueTodoResponse writes the response.
func (unchanged) VisitCreateProjectIssueTodoResponse(w http.ResponseWriter) error { return write(w) }

func write(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}
