package web

import (
	"net/http"
	"strconv"
	"strings"

	"svc/server/apierr"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// settings adds the pages on which people look after their own accounts.
func (w *Web) settings(e *echo.Echo) {
	w.get(e, "/-/profile", w.profileForm, members)
	w.post(e, "/-/profile", w.profile, members)
	w.post(e, "/-/profile/avatar", w.picture, members)
	w.post(e, "/-/profile/status", w.status, members)
	w.get(e, "/-/profile/password", w.passwordForm, members)
	w.post(e, "/-/profile/password", w.password, members)
	w.get(e, "/-/profile/emails", w.emails, members)
	w.post(e, "/-/profile/emails", w.addEmail, members)
	w.post(e, "/-/profile/emails/:id/delete", w.deleteEmail, members)
	w.post(e, "/-/profile/emails/:id/confirm", w.remindEmail, members)
	w.post(e, "/-/profile/emails/:id/primary", w.promoteEmail, members)
	w.get(e, "/-/profile/two_factor_auth", w.twoFactor, members)
	w.post(e, "/-/profile/two_factor_auth", w.enableTwoFactor, members)
	w.post(e, "/-/profile/two_factor_auth/codes", w.renewCodes, members)
	w.post(e, "/-/profile/two_factor_auth/disable", w.disableTwoFactor, members)
	w.get(e, "/-/profile/personal_access_tokens", w.tokens, members)
	w.post(e, "/-/profile/personal_access_tokens", w.addToken, members)
	w.post(e, "/-/profile/personal_access_tokens/:id/revoke", w.revokeToken, members)
	w.get(e, "/-/profile/keys", w.keys, members)
	w.post(e, "/-/profile/keys", w.addKey, members)
	w.post(e, "/-/profile/keys/:id/delete", w.deleteKey, members)
	w.get(e, "/-/profile/active_sessions", w.sessions, members)
	w.post(e, "/-/profile/active_sessions/:id/revoke", w.endSession, members)
	w.post(e, "/-/profile/active_sessions/revoke_all", w.endSessions, members)
}

// nav is where a person can go from a page of settings, and from one of administration.
func (v *Visit) nav() []navGroup {
	path := v.Request().URL.Path
	group := func(title string, links ...navLink) []navGroup {
		for i := range links {
			links[i].Here = links[i].Path == path
		}
		return []navGroup{{Title: title, Links: links}}
	}
	switch {
	case path == "/-/profile" || strings.HasPrefix(path, "/-/profile/"):
		return group("Settings", navLink{Path: "/-/profile", Label: "Profile"}, navLink{Path: "/-/profile/password", Label: "Password"},
			navLink{Path: "/-/profile/two_factor_auth", Label: "Two-factor authentication"}, navLink{Path: "/-/profile/emails", Label: "Mail addresses"},
			navLink{Path: "/-/profile/personal_access_tokens", Label: "Access tokens"}, navLink{Path: "/-/profile/keys", Label: "SSH keys"},
			navLink{Path: "/-/profile/active_sessions", Label: "Sessions"}, navLink{Path: ownShelf.path, Label: "Applications"},
			navLink{Path: authorizedPath, Label: "Authorized applications"})
	case strings.HasPrefix(path, "/admin/"):
		return group("Administration", navLink{Path: adminUsersPath, Label: "Users"}, navLink{Path: adminShelf.path, Label: "Applications"})
	}
	return nil
}

// me is the row of who is signed in.
func (v *Visit) me() (model.User, error) {
	return v.web.store.Users.Get(v.Request().Context(), v.Actor.User.ID)
}

// idParam is the id in the path; what is no number is nothing that exists.
func (v *Visit) idParam() (int64, error) {
	id, err := strconv.ParseInt(v.Param("id"), 10, 64)
	if err != nil {
		return 0, apierr.NotFound("")
	}
	return id, nil
}

// done tells what was done on the page that it leads to.
func (v *Visit) done(path, text string) error {
	if err := v.Tell(Flash{Text: text}); err != nil {
		return err
	}
	return v.Redirect(path)
}

const currentField = "current_password"

// currentPassword is the field in which who changes something grave proves that the browser was not left open.
func currentPassword() Field {
	return Field{Name: currentField, Label: "Current password", Type: "password", Autocomplete: "current-password", Required: true}
}

// proven tells whether the current password was given. A wrong one counts like a failed attempt to sign in.
func (v *Visit) proven(u model.User) (bool, error) {
	if err := v.limit(knocks); err != nil {
		return false, err
	}
	_, err := v.web.auth.CheckPassword(v.Request().Context(), u.Username, v.Value(currentField))
	if isRefusal(err) {
		return false, nil
	}
	return err == nil, err
}

var notProven = map[string][]string{currentField: {"is wrong"}}

// status of an answer to a form: what is broken is shown again.
func statusOf(broken map[string][]string) int {
	if len(broken) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}
