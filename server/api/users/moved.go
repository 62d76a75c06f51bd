package users

import (
	"io"
	"net/http"
)

// moved is the answer to a change of state: true, or null when there was nothing to change; to unblocking it is false then. The generated type, a
// bool, cannot be null.
type moved bool

func (m moved) write(w http.ResponseWriter) error { return m.writeElse(w, "null") }

func (m moved) writeElse(w http.ResponseWriter, text string) error {
	if m {
		text = "true"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, err := io.WriteString(w, text+"\n")
	return err
}

// VisitActivateUserResponse writes the answer.
func (m moved) VisitActivateUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitBanUserResponse writes the answer.
func (m moved) VisitBanUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitBlockUserResponse writes the answer.
func (m moved) VisitBlockUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitDeactivateUserResponse writes the answer.
func (m moved) VisitDeactivateUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitUnbanUserResponse writes the answer.
func (m moved) VisitUnbanUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitUnblockUserResponse writes the answer.
func (m moved) VisitUnblockUserResponse(w http.ResponseWriter) error {
	return m.writeElse(w, "false")
}
