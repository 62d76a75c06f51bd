package web

import (
	"net/http"

	"svc/server/domain/account"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// newPassword returns the fields for choosing a new password.
func (v *Visit) newPassword() []Field {
	return []Field{
		{
			Name: "password", Label: "New password", Type: "password", Autocomplete: "new-password", Required: true,
			Hint: account.PasswordHint(&v.web.store.Settings.Current().Values),
		},
		{Name: "password_confirmation", Label: "Password confirmation", Type: "password", Autocomplete: "new-password", Required: true},
	}
}

// checkNewPassword checks the rules for a new password.
func (v *Visit) checkNewPassword(u model.User) (account.FieldErrors, error) {
	broken, password := account.FieldErrors{}, v.Value("password")
	account.CheckPassword(broken, &v.web.store.Settings.Current().Values, password, u.Username, u.Name, u.Email)
	if password != v.Value("password_confirmation") {
		broken.Add("password_confirmation", "doesn't match")
	}
	if len(broken) > 0 {
		return broken, nil
	}
	same, err := secret.CheckPassword(v.Request().Context(), u.PasswordHash, password)
	if same {
		broken.Add("password", "must differ from the current one")
	}
	return broken, err
}

// forgottenForm asks for the address of the account.
func (w *Web) forgottenForm(v *Visit) error {
	return v.showAddress(http.StatusOK, "Forgot your password?", "/users/password/new", "We will mail you a link to choose a new one.", nil)
}

func (v *Visit) showAddress(status int, title, action, intro string, broken account.FieldErrors) error {
	form := Form{Action: action, Submit: "Send mail", Fields: []Field{
		{Name: "email", Label: "Mail address", Type: "email", Value: v.Value("email"), Autocomplete: "email", Required: true, Focus: true},
	}}
	return v.Show(
		status, "form_page", title, formPage{
			Intro: []string{intro}, Form: form.With(broken),
			Links: []navLink{{Path: "/users/sign_in", Label: "Back to sign in"}},
		},
	)
}

// forgotten mails a link to choose a new password.
func (w *Web) forgotten(v *Visit) error {
	return v.askForMail(model.MailedReset, func(broken account.FieldErrors) error {
		return v.showAddress(
			http.StatusUnprocessableEntity, "Forgot your password?", "/users/password/new",
			"We will mail you a link to choose a new one.", broken,
		)
	})
}

// askForMail mails a link to an address. The response is the same whether or not the address belongs to an account.
func (v *Visit) askForMail(purpose string, again func(account.FieldErrors) error) error {
	if err := v.limit(mailedLinks); err != nil {
		return err
	}
	broken, address := account.FieldErrors{}, v.Value("email")
	if account.CheckEmail(broken, "email", address); len(broken) > 0 {
		return again(broken)
	}
	if err := v.web.queueMail(v.Request().Context(), account.MailLink{Address: address, Purpose: purpose}); err != nil {
		return err
	}
	if err := v.Tell(Flash{Text: "If this address belongs to an account that needs the mail, we have sent it."}); err != nil {
		return err
	}
	return v.Redirect("/users/sign_in")
}

const staleLink = "This link is no longer valid: it was used, it has expired, or there is a newer one. Request a new one."

// resetForm shows the form to choose a new password by a mailed link.
func (w *Web) resetForm(v *Visit) error {
	token := v.QueryParam("reset_password_token")
	if _, err := w.letters.UserByResetToken(v.Request().Context(), token); err != nil {
		return v.linkExpired(err, "/users/password/new")
	}
	return v.showReset(http.StatusOK, token, nil)
}

func (v *Visit) showReset(status int, token string, broken account.FieldErrors) error {
	form := Form{
		Action: "/users/password/edit", Submit: "Change password", Fields: v.newPassword(),
		Hidden: []Field{{Name: "reset_password_token", Value: token}},
	}
	return v.Show(status, "form_page", "Choose a new password", formPage{Form: form.With(broken)})
}

// linkExpired redirects a user with an expired link to the page that mails a new one.
func (v *Visit) linkExpired(err error, path string) error {
	if !store.IsNotFound(err) {
		return err
	}
	if err := v.Tell(Flash{Text: staleLink, Alert: true}); err != nil {
		return err
	}
	return v.Redirect(path)
}

// reset changes a password by a mailed link.
func (w *Web) reset(v *Visit) error {
	ctx, token := v.Request().Context(), v.Value("reset_password_token")
	u, err := w.letters.UserByResetToken(ctx, token)
	if err != nil {
		return v.linkExpired(err, "/users/password/new")
	}
	broken, err := v.checkNewPassword(u)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return v.showReset(http.StatusUnprocessableEntity, token, broken)
	}
	if err := w.letters.ResetPassword(ctx, u, token, v.Value("password")); err != nil {
		return v.linkExpired(err, "/users/password/new")
	}
	return v.signedOut("Your password was changed. Sign in with the new one.")
}

// expiredForm asks a user whose password was set by somebody else to choose a new one while signing in.
func (w *Web) expiredForm(v *Visit) error {
	u, p, ok, err := v.pendingSignIn()
	if err != nil {
		return err
	}
	if !ok || (u.TwoFactor && !p.Second) {
		return v.startOver()
	}
	return v.showExpired(http.StatusOK, nil)
}

func (v *Visit) showExpired(status int, broken account.FieldErrors) error {
	form := Form{Action: "/users/password/expired", Submit: "Change password", Fields: v.newPassword()}
	return v.Show(status, "form_page", "Choose your own password", formPage{
		Intro: []string{"Your password was set by someone else. Before you continue, choose one that only you know."},
		Form:  form.With(broken),
	})
}

// expired changes an expired password.
func (w *Web) expired(v *Visit) error {
	u, p, ok, err := v.pendingSignIn()
	if err != nil {
		return err
	}
	if !ok || (u.TwoFactor && !p.Second) {
		return v.startOver()
	}
	broken, err := v.checkNewPassword(u)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return v.showExpired(http.StatusUnprocessableEntity, broken)
	}
	if err := w.letters.ChangePassword(v.Request().Context(), u, v.Value("password")); err != nil {
		return err
	}
	v.DeleteCookie(pendingCookie)
	return v.signedOut("Your password was changed. Sign in with the new one.")
}
