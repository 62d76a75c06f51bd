package projects

import "net/http"

// notModified is the answer to a request that changes nothing.
type notModified struct{}

func (notModified) visit(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}

// VisitDeleteProjectForkRelationResponse writes status 304 without a body.
func (n notModified) VisitDeleteProjectForkRelationResponse(w http.ResponseWriter) error {
	return n.visit(w)
}

// VisitStarProjectResponse writes status 304 without a body.
func (n notModified) VisitStarProjectResponse(w http.ResponseWriter) error { return n.visit(w) }

// VisitUnstarProjectResponse writes status 304 without a body.
func (n notModified) VisitUnstarProjectResponse(w http.ResponseWriter) error { return n.visit(w) }
