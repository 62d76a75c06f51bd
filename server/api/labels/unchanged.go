package labels

import "net/http"

// unchanged says that things are already as the caller wants them.
type unchanged struct{}

// VisitSubscribeProjectLabelResponse writes it.
func (unchanged) VisitSubscribeProjectLabelResponse(w http.ResponseWriter) error { return write(w) }

// VisitUnsubscribeProjectLabelResponse writes it.
func (unchanged) VisitUnsubscribeProjectLabelResponse(w http.ResponseWriter) error { return write(w) }

// VisitSubscribeGroupLabelResponse writes it.
func (unchanged) VisitSubscribeGroupLabelResponse(w http.ResponseWriter) error { return write(w) }

// VisitUnsubscribeGroupLabelResponse writes it.
func (unchanged) VisitUnsubscribeGroupLabelResponse(w http.ResponseWriter) error { return write(w) }

func write(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}
