package web

import (
	"context"
	"errors"

	"svc/server/domain/account"
	"svc/server/platform/events"
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
	err = w.store.Tx(v.Request().Context(), func(ctx context.Context) error {
		if err := w.store.Users.Update(ctx, u.ID, map[string]any{"username": name}); err != nil {
			return err
		}
		c := events.OfUser(u, "user_username_updated", "Changed username")
		c.Field, c.From, c.To = "username", u.Username, name
		if err := events.Audit(ctx, w.store, c); err != nil || u.NamespaceID == nil {
			return err
		}
		return w.store.Namespaces.Rename(ctx, *u.NamespaceID, nil, &name)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) { // also by a group: usernames and group paths share one namespace
		return v.showProfile(profileMistakes{username: account.FieldErrors{"username": {"has already been taken"}}})
	}
	if err != nil {
		return err
	}
	return v.done(profilePath, "Your username was changed.")
}
