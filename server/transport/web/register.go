package web

import (
	"net/http"

	"svc/server/domain/account"
	"svc/server/platform/apierr"
)

// registerForm shows the form for a new account, if registration is on.
func (w *Web) registerForm(v *Visit) error {
	if !w.store.Settings.Current().SignupEnabled {
		return apierr.NotFound("")
	}
	if v.Actor != nil {
		return v.Redirect("/")
	}
	return v.showRegister(http.StatusOK, account.Registration{}, nil)
}

func (v *Visit) showRegister(status int, r account.Registration, broken account.FieldErrors) error {
	form := Form{Action: "/users/sign_up", Submit: "Register", Fields: []Field{
		{Name: "name", Label: "Full name", Type: "text", Value: r.Name, Autocomplete: "name", Required: true, Focus: true},
		{Name: "username", Label: "Username", Type: "text", Value: r.Username, Autocomplete: "username", Required: true},
		{Name: "email", Label: "Mail address", Type: "email", Value: r.Email, Autocomplete: "email", Required: true},
		{
			Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", Required: true,
			Hint: account.PasswordHint(&v.web.store.Settings.Current().Values),
		},
	}}
	page := formPage{Form: form.With(broken), Links: []navLink{{Path: "/users/sign_in", Label: "Already have an account? Sign in"}}}
	if v.web.store.Settings.Current().RequireAdminApprovalAfterUserSignup {
		page.Intro = []string{"An administrator must approve a new account before it can be used."}
	}
	return v.Show(status, "form_page", "Register", page)
}

// register creates an account.
func (w *Web) register(v *Visit) error {
	settings := w.store.Settings.Current()
	if !settings.SignupEnabled {
		return apierr.NotFound("")
	}
	if err := v.limit(registrations); err != nil {
		return err
	}
	r := account.Registration{
		Name: v.Value("name"), Username: v.Value("username"), Email: v.Value("email"), Password: v.Value("password"),
	}
	broken, err := w.letters.Register(v.Request().Context(), r)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return v.showRegister(http.StatusUnprocessableEntity, r, broken)
	}
	text := "We sent you a mail. Open the link in it to confirm your address."
	if settings.RequireAdminApprovalAfterUserSignup {
		text += " Then an administrator will review your account."
	}
	if more := settings.AfterSignUpText; more != nil && *more != "" {
		text += " " + *more
	}
	if err := v.Tell(Flash{Text: text}); err != nil {
		return err
	}
	return v.Redirect("/users/sign_in")
}
