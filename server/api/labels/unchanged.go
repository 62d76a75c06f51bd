package labels

import "net/http"

// unchanged is the response 304: the state is already the one that the caller wants.
type unchanged struct{}

// VisitSubscribeProjectLabelResponse writes the response.
func (unchanged) VisitSubscribeProjectLabelResponse(w http.ResponseWriter) error { return write(w) }

// VisitUnsubscribeProjectLabelResponse writes the response.
func (unchanged) VisitUnsubscribeProjectLabelResponse(w http.ResponseWriter) error { return write(w) }

// VisitSubscribeGroupLabelResponse writes the response.
func (unchanged) VisitSubscribeGroupLabelResponse(w http.ResponseWriter) error { return write(w) }

// VisitUnsubscribeGroupLabelResponse writes the response.
func (unchanged) VisitUnsubscribeGroupLabelResponse(w http.ResponseWriter) error { return write(w) }

func write(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}
