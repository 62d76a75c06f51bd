package web

import (
	"net/http"

	"svc/store/model"
)

const sessionsPath = "/-/profile/active_sessions"

// sessionsPage lists the browser sessions of a user.
type sessionsPage struct {
	Sessions []model.Session
	Pager    pager
	Current  int64
}

// sessions lists the browser sessions of the current user.
func (w *Web) sessions(v *Visit) error {
	at := v.Pager()
	rows, total, err := w.store.Sessions.ListByUser(v.Request().Context(), v.Actor.User.ID, v.Now().UTC(), at.Page)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "sessions", "Sessions", sessionsPage{Sessions: rows, Pager: at.Of(total.More), Current: v.SessionID})
}

// endSession ends one session.
func (w *Web) endSession(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	if err := w.store.Sessions.DeleteOfUser(v.Request().Context(), v.Actor.User.ID, id); err != nil {
		return err
	}
	if id == v.SessionID {
		return v.signedOut("You are signed out.")
	}
	return v.Done(sessionsPath, "The session was ended.")
}

// endSessions signs the user out everywhere.
func (w *Web) endSessions(v *Visit) error {
	if err := w.store.Sessions.DeleteByUser(v.Request().Context(), v.Actor.User.ID); err != nil {
		return err
	}
	return v.signedOut("You are signed out everywhere.")
}
