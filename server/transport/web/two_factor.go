package web

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"time"

	"svc/server/domain/account"
	"svc/store/model"
)

const (
	setupCookie   = "_svc_setup"
	setupTime     = 15 * time.Minute
	twoFactorPath = "/-/profile/two_factor_auth"
)

// twoFactorPage is the page to set up or to manage the second factor of a user.
type twoFactorPage struct {
	On            bool
	Picture       template.HTML
	Secret        string
	Form          Form
	Codes, Switch Form
}

// codesPage shows recovery codes, once.
type codesPage struct{ Codes []string }

// twoFactor shows whether the second factor is on, and how to turn it on.
func (w *Web) twoFactor(v *Visit) error {
	u, err := v.currentUser()
	if err != nil {
		return err
	}
	return v.showTwoFactor(u, nil, "")
}

// showTwoFactor shows the page, with the errors at the form of that action.
func (v *Visit) showTwoFactor(u model.User, broken account.FieldErrors, action string) error {
	at := func(f Form) Form {
		if f.Action == action {
			return f.With(broken)
		}
		return f
	}
	page := twoFactorPage{On: u.TwoFactor}
	if u.TwoFactor {
		page.Codes = at(Form{Action: twoFactorPath + "/codes", Submit: "Generate new recovery codes", Fields: []Field{currentPassword()}})
		page.Switch = at(Form{Action: twoFactorPath + "/disable", Submit: "Turn off", Danger: true, Fields: []Field{currentPassword()}})
		return v.Show(statusOf(broken), "two_factor", "Two-factor authentication", page)
	}
	var secret, address string
	var kept setup
	if len(broken) > 0 && v.Sealed(setupCookie, &kept) { // the app has already scanned the code
		secret, address = kept.Secret, kept.Address
	} else {
		secret, address = account.Setup(v.web.issuer(), u.Username)
		if err := v.GiveSealed(setupCookie, setup{Secret: secret, Address: address}, setupTime); err != nil {
			return err
		}
	}
	picture, err := qrCode(address)
	if err != nil {
		return err
	}
	page.Secret, page.Picture = grouped(secret), picture
	page.Form = at(Form{Action: twoFactorPath, Submit: "Turn on", Fields: []Field{
		{Name: "code", Label: "Code from the app", Type: "text", Autocomplete: "one-time-code", Mode: "numeric", Required: true},
		currentPassword(),
	}})
	return v.Show(statusOf(broken), "two_factor", "Two-factor authentication", page)
}

// setup is a second factor that is not turned on yet. The browser keeps it in a sealed cookie, which only its own
// session can open.
type setup struct {
	Secret  string `json:"s"`
	Address string `json:"a"`
}

// issuer is the name of this service in authenticator apps.
func (w *Web) issuer() string { return "svc " + w.host }

// grouped splits a secret into groups of four characters, for typing.
func grouped(text string) string {
	var out []byte
	for i := range len(text) {
		if i > 0 && i%4 == 0 {
			out = append(out, ' ')
		}
		out = append(out, text[i])
	}
	return string(out)
}

// enableTwoFactor turns the second factor on and shows the recovery codes.
func (w *Web) enableTwoFactor(v *Visit) error {
	u, err := v.currentUser()
	if err != nil {
		return err
	}
	var kept setup
	if u.TwoFactor || !v.Sealed(setupCookie, &kept) {
		return v.Done(twoFactorPath, "The form has expired. Please start again.")
	}
	proven, err := v.checkCurrentPassword(u)
	if err != nil {
		return err
	}
	if !proven {
		return v.showTwoFactor(u, notProven, twoFactorPath)
	}
	var codes []string
	err = v.changeFactor(u, "Two-factor authentication was turned on for your account.", func(ctx context.Context) error {
		codes, err = w.factors.Enable(ctx, u.ID, kept.Secret, withoutSpaces(v.Value("code")))
		return err
	})
	if errors.Is(err, account.ErrCode) {
		wrong := account.FieldErrors{"code": {"is wrong or has expired. Check that the clock of your phone is correct."}}
		return v.showTwoFactor(u, wrong, twoFactorPath)
	}
	if err != nil {
		return err
	}
	v.DeleteCookie(setupCookie)
	v.Due = nil
	return v.Show(http.StatusOK, "recovery_codes", "Recovery codes", codesPage{Codes: codes})
}

// changeFactor changes the second factor of a user and notifies them by mail.
func (v *Visit) changeFactor(u model.User, text string, change func(ctx context.Context) error) error {
	return v.web.store.Tx(v.Request().Context(), func(ctx context.Context) error {
		if err := change(ctx); err != nil {
			return err
		}
		return v.web.letters.SendNotice(ctx, u, "Two-factor authentication", text)
	})
}

// renewCodes replaces the recovery codes.
func (w *Web) renewCodes(v *Visit) error {
	u, ok, err := v.provenSecond(twoFactorPath + "/codes")
	if err != nil || !ok {
		return err
	}
	var codes []string
	err = v.changeFactor(u, "New recovery codes were generated for your account.", func(ctx context.Context) error {
		codes, err = w.factors.Renew(ctx, u.ID)
		return err
	})
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "recovery_codes", "Recovery codes", codesPage{Codes: codes})
}

// disableTwoFactor turns the second factor off.
func (w *Web) disableTwoFactor(v *Visit) error {
	u, ok, err := v.provenSecond(twoFactorPath + "/disable")
	if err != nil || !ok {
		return err
	}
	err = v.changeFactor(u, "Two-factor authentication was turned off for your account.", func(ctx context.Context) error {
		return w.factors.Disable(ctx, u.ID)
	})
	if err != nil {
		return err
	}
	return v.Done(twoFactorPath, "Two-factor authentication is off.")
}

// provenSecond returns the current user, if they have a second factor and gave their password; otherwise it has written
// the response.
func (v *Visit) provenSecond(action string) (model.User, bool, error) {
	u, err := v.currentUser()
	if err != nil {
		return u, false, err
	}
	if !u.TwoFactor {
		return u, false, v.Redirect(twoFactorPath)
	}
	proven, err := v.checkCurrentPassword(u)
	if err != nil {
		return u, false, err
	}
	if !proven {
		return u, false, v.showTwoFactor(u, notProven, action)
	}
	return u, true, nil
}
