package web

import (
	"net/http"

	"svc/server/domain/account"
	"svc/store/model"
)

// confirmForm shows which address a mailed link confirms. Confirming needs a form, because programs that scan mail open
// links, too.
func (w *Web) confirmForm(v *Visit) error {
	token := v.QueryParam("confirmation_token")
	address, err := w.letters.AddressByToken(v.Request().Context(), token)
	if err != nil {
		return v.linkExpired(err, "/users/confirmation/new")
	}
	form := Form{Action: "/users/confirmation", Submit: "Confirm", Hidden: []Field{{Name: "confirmation_token", Value: token}}}
	return v.Show(
		http.StatusOK, "form_page", "Confirm your address",
		formPage{Intro: []string{"Is " + address + " your mail address?"}, Form: form},
	)
}

// confirm confirms an address.
func (w *Web) confirm(v *Visit) error {
	if err := w.letters.ConfirmAddress(v.Request().Context(), v.Value("confirmation_token")); err != nil {
		return v.linkExpired(err, "/users/confirmation/new")
	}
	if err := v.Tell(Flash{Text: "Your mail address is confirmed."}); err != nil {
		return err
	}
	return v.Redirect("/users/sign_in")
}

const resendIntro = "We will mail you a link to confirm your address."

// resendForm asks for the address to confirm.
func (w *Web) resendForm(v *Visit) error {
	return v.showAddress(http.StatusOK, "Confirm your address", "/users/confirmation/new", resendIntro, nil)
}

// resend mails another link to confirm an address.
func (w *Web) resend(v *Visit) error {
	return v.askForMail(model.MailedConfirmation, func(broken account.FieldErrors) error {
		return v.showAddress(http.StatusUnprocessableEntity, "Confirm your address", "/users/confirmation/new", resendIntro, broken)
	})
}
