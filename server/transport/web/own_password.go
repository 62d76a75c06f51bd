package web

import "svc/server/domain/account"

// passwordForm shows the form to change the password.
func (w *Web) passwordForm(v *Visit) error { return v.showPassword(nil) }

func (v *Visit) showPassword(broken account.FieldErrors) error {
	form := Form{Action: "/-/profile/password", Submit: "Change password", Fields: append([]Field{currentPassword()}, v.newPassword()...)}
	return v.Show(statusOf(broken), "form_page", "Password", formPage{
		Intro: []string{"When you change your password, you are signed out everywhere, including here."}, Form: form.With(broken),
	})
}

// password changes the password.
func (w *Web) password(v *Visit) error {
	u, err := v.currentUser()
	if err != nil {
		return err
	}
	proven, err := v.checkCurrentPassword(u)
	if err != nil {
		return err
	}
	if !proven {
		return v.showPassword(notProven)
	}
	broken, err := v.checkNewPassword(u)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return v.showPassword(broken)
	}
	if err := w.letters.ChangePassword(v.Request().Context(), u, v.Value("password")); err != nil {
		return err
	}
	return v.signedOut("Your password was changed. Sign in with the new one.")
}
