package mergerequests

import (
	"net/http"
)

// notModified is the response 304: nothing changed.
type notModified struct{}

func (notModified) visit(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}

// VisitSubscribeProjectMergeRequestResponse writes the response.
func (n notModified) VisitSubscribeProjectMergeRequestResponse(w http.ResponseWriter) error {
	return n.visit(w)
}

// VisitUnsubscribeProjectMergeRequestResponse writes the response.
func (n notModified) VisitUnsubscribeProjectMergeRequestResponse(w http.ResponseWriter) error {
	return n.visit(w)
}

// VisitCreateProjectMergeRequestTodoResponse writes the response.
func (n notModified) VisitCreateProjectMergeRequestTodoResponse(w http.ResponseWriter) error {
	return n.visit(w)
}
