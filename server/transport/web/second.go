package web

import (
	"net/http"
	"strings"

	"svc/store/model"
)

const wrongCode = "The code is wrong, has expired or was already used."

// secondStepForm asks for the second factor.
func (w *Web) secondStepForm(v *Visit) error {
	_, _, ok, err := v.pendingSignIn()
	if err != nil {
		return err
	}
	if !ok {
		return v.startOver()
	}
	return v.showSecondStep(http.StatusOK)
}

func (v *Visit) showSecondStep(status int, mistakes ...string) error {
	form := Form{Action: "/users/two_factor", Submit: "Verify", Mistakes: mistakes, Fields: []Field{
		{Name: "code", Label: "Code", Type: "text", Autocomplete: "one-time-code", Required: true, Focus: true},
	}}
	v.LeadAnywhere()
	return v.Show(status, "form_page", "Two-factor authentication", formPage{
		Intro: []string{"Enter the code from your authenticator app, or one of your recovery codes."}, Form: form,
	})
}

// secondStep checks the second factor. Wrong codes count like wrong passwords.
func (w *Web) secondStep(v *Visit) error {
	if err := v.limit(passwordAttempts); err != nil {
		return err
	}
	u, p, ok, err := v.pendingSignIn()
	if err != nil {
		return err
	}
	if !ok || !u.TwoFactor {
		return v.startOver()
	}
	good, err := v.checkCode(u, v.Value("code"))
	if err != nil {
		return err
	}
	if !good {
		if err := w.auth.CountFailure(v.Request().Context(), u); !isRefusal(err) {
			return err
		}
		return v.showSecondStep(http.StatusUnprocessableEntity, wrongCode)
	}
	p.Second = true
	return v.proceed(u, p)
}

// withoutSpaces removes the spaces of a code: apps show it in groups.
func withoutSpaces(code string) string { return strings.ReplaceAll(code, " ", "") }

const codeLength = 6

// checkCode reports whether a text is a valid code of an app or a recovery code, and uses it up.
func (v *Visit) checkCode(u model.User, text string) (bool, error) {
	ctx := v.Request().Context()
	text = withoutSpaces(text)
	if len(text) == codeLength {
		return v.web.factors.Verify(ctx, u.ID, text)
	}
	return v.web.factors.Recover(ctx, u.ID, text)
}
