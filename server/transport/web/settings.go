package web

import (
	"svc/server/transport/web/page"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

const profilePath = "/-/profile"

// settings adds the pages where users manage their own account.
func (w *Web) settings(e *echo.Echo) {
	w.get(e, "/-/profile", w.profileForm, members)
	w.post(e, "/-/profile", w.profile, members)
	w.post(e, usernamePath, w.username, members)
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

// navigation adds the links of the settings.
func (w *Web) navigation(r *page.Router) {
	for _, l := range []navLink{
		{Path: profilePath, Label: "Profile"},
		{Path: "/-/profile/password", Label: "Password"},
		{Path: "/-/profile/two_factor_auth", Label: "Two-factor authentication"},
		{Path: emailsPath, Label: "Mail addresses"},
		{Path: tokensPath, Label: "Access tokens"},
		{Path: keysPath, Label: "SSH keys"},
		{Path: sessionsPath, Label: "Sessions"},
		{Path: ownApplications, Label: "Applications"},
		{Path: ownedGroupsPath, Label: "Applications of groups"},
		{Path: authorizedPath, Label: "Authorized applications"},
	} {
		r.Nav(page.Settings, l.Path, l.Label)
	}
}

// groupNav returns the navigation of the settings of a group.
func (v *Visit) groupNav() []navGroup {
	return []navGroup{{Title: "Group", Links: []navLink{
		{Path: groupApplicationsPath(*v.group), Label: "Applications", Here: true},
		{Path: ownedGroupsPath, Label: "Your groups"},
	}}}
}

// currentUser returns the row of the current user.
func (v *Visit) currentUser() (model.User, error) {
	return v.web.store.Users.Get(v.Request().Context(), v.Actor.User.ID)
}

const currentField = "current_password"

// currentPassword is the field for the current password. It proves, before a serious change, that the browser was not
// just left open.
func currentPassword() Field {
	return Field{Name: currentField, Label: "Current password", Type: "password", Autocomplete: "current-password", Required: true}
}

// checkCurrentPassword reports whether the form contains the current password. A wrong one counts as a failed attempt to sign in.
func (v *Visit) checkCurrentPassword(u model.User) (bool, error) {
	if err := v.limit(passwordAttempts); err != nil {
		return false, err
	}
	_, err := v.web.auth.CheckPassword(v.Request().Context(), u.Username, v.Value(currentField))
	if isRefusal(err) {
		return false, nil
	}
	return err == nil, err
}

var notProven = map[string][]string{currentField: {"is wrong"}}
