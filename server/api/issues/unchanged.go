package issues

import "net/http"

// unchanged says that things are already as the caller wants them.
type unchanged struct{}

// VisitSubscribeProjectIssueResponse writes it.
func (unchanged) VisitSubscribeProjectIssueResponse(w http.ResponseWriter) error { return write(w) }

// VisitUnsubscribeProjectIssueResponse writes it.
func (unchanged) VisitUnsubscribeProjectIssueResponse(w http.ResponseWriter) error { return write(w) }

// VisitCreateProjectIssueTodoResponse writes it.
func (unchanged) VisitCreateProjectIssueTodoResponse(w http.ResponseWriter) error { return write(w) }

func write(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}
