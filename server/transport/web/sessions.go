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
	at := v.pager(nil)
	rows, total, err := w.store.Sessions.ListByUser(v.Request().Context(), v.Actor.User.ID, v.now().UTC(), at.page)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "sessions", "Sessions", sessionsPage{Sessions: rows, Pager: at.of(total.More), Current: v.session})
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
	if id == v.session {
		return v.signedOut("You are signed out.")
	}
	return v.done(sessionsPath, "The session was ended.")
}

// endSessions signs the user out everywhere.
func (w *Web) endSessions(v *Visit) error {
	if err := w.store.Sessions.DeleteByUser(v.Request().Context(), v.Actor.User.ID); err != nil {
		return err
	}
	return v.signedOut("You are signed out everywhere.")
}
