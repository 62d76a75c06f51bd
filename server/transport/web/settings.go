package web

import (
	"net/http"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
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

// nav returns the navigation of the settings and of the administration.
func (v *Visit) nav() []navGroup {
	path := v.Request().URL.Path
	group := func(title string, links ...navLink) []navGroup {
		for i := range links {
			below := strings.HasPrefix(path, links[i].Path+"/") && links[i].Path != profilePath
			links[i].Here = links[i].Path == path || below
		}
		return []navGroup{{Title: title, Links: links}}
	}
	switch {
	case path == profilePath || strings.HasPrefix(path, profilePath+"/"):
		return group("Settings", navLink{Path: profilePath, Label: "Profile"}, navLink{Path: "/-/profile/password", Label: "Password"},
			navLink{Path: "/-/profile/two_factor_auth", Label: "Two-factor authentication"},
			navLink{Path: emailsPath, Label: "Mail addresses"},
			navLink{Path: tokensPath, Label: "Access tokens"}, navLink{Path: keysPath, Label: "SSH keys"},
			navLink{Path: sessionsPath, Label: "Sessions"}, navLink{Path: ownApplications, Label: "Applications"},
			navLink{Path: ownedGroupsPath, Label: "Applications of groups"},
			navLink{Path: authorizedPath, Label: "Authorized applications"})
	case strings.HasPrefix(path, "/admin/") && v.Actor.User.Admin:
		return group(
			"Administration", navLink{Path: adminUsersPath, Label: "Users"},
			navLink{Path: adminApplications, Label: "Applications"},
		)
	case v.group != nil:
		return group(
			"Group", navLink{Path: groupApplicationsPath(*v.group), Label: "Applications"},
			navLink{Path: ownedGroupsPath, Label: "Your groups"},
		)
	}
	return nil
}

// currentUser returns the row of the current user.
func (v *Visit) currentUser() (model.User, error) {
	return v.web.store.Users.Get(v.Request().Context(), v.Actor.User.ID)
}

// idParam returns the id of the path; a text that is not a number is a 404.
func (v *Visit) idParam() (int64, error) {
	id, err := strconv.ParseInt(v.Param("id"), 10, 64)
	if err != nil {
		return 0, apierr.NotFound("")
	}
	return id, nil
}

// done redirects to a page, which shows what was done.
func (v *Visit) done(path, text string) error {
	if err := v.Tell(Flash{Text: text}); err != nil {
		return err
	}
	return v.Redirect(path)
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

// statusOf returns the status of the response to a form: 422 if it is shown again with errors.
func statusOf(broken map[string][]string) int {
	if len(broken) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}
