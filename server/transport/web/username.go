package web

import (
	"errors"

	"svc/server/domain/account"
	"svc/store"
	"svc/store/model"
)

const usernamePath = "/-/profile/username"

// usernameFields returns the form to change the username.
func usernameFields(u model.User, given string) Form {
	if given == "" {
		given = u.Username
	}
	return Form{Action: usernamePath, Submit: "Change username", Danger: true, Fields: []Field{
		{
			Name: "username", Label: "New username", Type: "text", Value: given, Autocomplete: "username",
			Hint: "Letters, digits, _, - and .", Required: true,
		},
		currentPassword(),
	}}
}

// username changes the username of the current user, and with it the path of their projects.
func (w *Web) username(v *Visit) error {
	u, err := v.currentUser()
	if err != nil {
		return err
	}
	broken, name := account.FieldErrors{}, v.Value("username")
	if name != u.Username {
		account.CheckUsername(broken, name)
	}
	if len(broken) > 0 {
		return v.showProfile(profileMistakes{username: broken})
	}
	good, err := v.checkCurrentPassword(u)
	if err != nil {
		return err
	}
	if !good {
		return v.showProfile(profileMistakes{username: notProven})
	}
	err = w.letters.ChangeUsername(v.Request().Context(), u, name)
	var taken *store.ConflictError
	if errors.As(err, &taken) { // also by a group: usernames and group paths share one namespace
		return v.showProfile(profileMistakes{username: account.FieldErrors{"username": {"has already been taken"}}})
	}
	if err != nil {
		return err
	}
	return v.Done(profilePath, "Your username was changed.")
}
