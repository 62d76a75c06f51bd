package web

import (
	"net/http"
	"time"

	"svc/server/access"
	"svc/server/apierr"
	"svc/server/limit"
	"svc/server/request"
	"svc/store/model"
)

// wrong is the one answer to a sign-in that fails: it tells nobody who exists.
const wrong = "The username or password is wrong, or there were too many attempts: then the account opens again by itself after ten minutes."

// knocks bounds how often one address tries.
var knocks = limit.Rule{Name: "sign_in", Most: 60, Window: time.Minute}

// signInPage is what the sign-in page shows.
type signInPage struct {
	Form     Form
	ReturnTo string
}

// signInForm shows the form to sign in.
func (w *Web) signInForm(v *Visit) error {
	back := safePath(v.QueryParam("return_to"))
	if v.Actor != nil {
		return v.Redirect(back)
	}
	return v.showSignIn(http.StatusOK, back, "", false)
}

func (v *Visit) showSignIn(status int, back, login string, failed bool) error {
	form := Form{
		Action: "/users/sign_in", Submit: "Sign in", Hidden: []Field{{Name: "return_to", Value: back}},
		Fields: []Field{
			{Name: "login", Label: "Username or primary email", Type: "text", Value: login, Autocomplete: "username", Required: true, Focus: !failed},
			{Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", Required: true, Focus: failed},
			{Name: "remember_me", Label: "Remember me", Type: "checkbox"},
		},
	}
	if failed {
		form.Mistakes = []string{wrong}
	}
	v.LeadAnywhere() // signing in may be a step of an authorization
	return v.Show(status, "sign_in", "Sign in", signInPage{Form: form, ReturnTo: back})
}

// signIn checks a password and opens a session.
func (w *Web) signIn(v *Visit) error {
	if err := v.limit(knocks); err != nil {
		return err
	}
	ctx, back := v.Request().Context(), safePath(v.Value("return_to"))
	u, err := w.auth.CheckPassword(ctx, v.Value("login"), v.Value("password"))
	if isRefusal(err) {
		return v.showSignIn(http.StatusUnprocessableEntity, back, v.Value("login"), true)
	}
	if err != nil {
		return err
	}
	return v.admit(u, back, v.Value("remember_me") == "1")
}

// admit opens a session for who has proved who they are, if the account may be used. Signing in wakes a deactivated one.
func (v *Visit) admit(u model.User, back string, remember bool) error {
	caller := u.Caller()
	if caller.State == model.UserDeactivated {
		caller.State = model.UserActive
	}
	if err := access.CheckState(caller); err != nil {
		return err
	}
	may, err := v.begin(v.Request().Context(), u.ID, remember)
	if err != nil {
		return err
	}
	if !may {
		return v.showSignIn(http.StatusUnprocessableEntity, back, u.Username, true)
	}
	return v.Redirect(back)
}

// signOut ends the session of this browser.
func (w *Web) signOut(v *Visit) error {
	if v.Actor != nil {
		if err := w.store.Sessions.DeleteOfUser(v.Request().Context(), v.Actor.User.ID, v.session); err != nil {
			return err
		}
	}
	v.forget(sessionCookie)
	v.Actor, v.cookie = nil, ""
	if err := v.Tell(Flash{Text: "You are signed out."}); err != nil {
		return err
	}
	return v.Redirect("/users/sign_in")
}

// limit counts a try of this address against a limit.
func (v *Visit) limit(rule limit.Rule) error {
	ctx := v.Request().Context()
	res, err := v.web.limiter.Take(ctx, rule, request.Of(ctx).IP.String())
	if err == nil && res.Over() {
		return apierr.TooMany("")
	}
	return err
}
