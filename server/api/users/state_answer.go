package users

import (
	"io"
	"net/http"
)

// stateChange is the answer to a change of state: true, or null if there was nothing to change. For unblocking, it is
// false instead of null. The generated type is a bool, which cannot be null.
type stateChange bool

func (m stateChange) write(w http.ResponseWriter) error { return m.writeElse(w, "null") }

func (m stateChange) writeElse(w http.ResponseWriter, text string) error {
	if m {
		text = "true"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, err := io.WriteString(w, text+"\n")
	return err
}

// VisitActivateUserResponse writes true or null.
func (m stateChange) VisitActivateUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitBanUserResponse writes true or null.
func (m stateChange) VisitBanUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitBlockUserResponse writes true or null.
func (m stateChange) VisitBlockUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitDeactivateUserResponse writes true or null.
func (m stateChange) VisitDeactivateUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitUnbanUserResponse writes true or null.
func (m stateChange) VisitUnbanUserResponse(w http.ResponseWriter) error { return m.write(w) }

// VisitUnblockUserResponse writes true or false.
func (m stateChange) VisitUnblockUserResponse(w http.ResponseWriter) error {
	return m.writeElse(w, "false")
}
