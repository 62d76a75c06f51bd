package web

import (
	"html/template"
	"net/http"
	"strconv"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// signInFailed is the message for every failed sign-in: it does not reveal which users exist.
const signInFailed = "The username or password is wrong, or the account is locked for a while after too many attempts."

// Rate limits by address.
var (
	passwordAttempts = limit.PasswordPages
	mailedLinks      = limit.Rule{Name: "mailed_links", Max: 20, Window: 10 * time.Minute}
	registrations    = limit.Rule{Name: "sign_up", Max: 20, Window: time.Hour}
)

// signInForm shows the form to sign in.
func (w *Web) signInForm(v *Visit) error {
	back := safePath(v.QueryParam("return_to"))
	if v.Actor == nil {
		return v.showSignIn(http.StatusOK, back, "", false)
	}
	if v.QueryParam("again") != "" {
		return v.showSignIn(http.StatusOK, back, v.Actor.User.Username, false)
	}
	return v.Redirect(back)
}

func (v *Visit) showSignIn(status int, back, login string, failed bool) error {
	form := Form{
		Action: "/users/sign_in", Submit: "Sign in", Hidden: []Field{{Name: "return_to", Value: back}},
		Fields: []Field{
			{
				Name: "login", Label: "Username or primary email", Type: "text", Value: login, Autocomplete: "username",
				Required: true, Focus: login == "",
			},
			{Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", Required: true, Focus: login != ""},
		},
	}
	settings := v.web.store.Settings.Current()
	if settings.RememberMeEnabled {
		form.Fields = append(form.Fields, Field{Name: "remember_me", Label: "Remember me", Type: "checkbox"})
	}
	if failed {
		form.Mistakes = []string{signInFailed}
	}
	links := []navLink{
		{Path: "/users/password/new", Label: "Forgot your password?"},
		{Path: "/users/confirmation/new", Label: "Did not get the mail to confirm your address?"},
	}
	if settings.SignupEnabled {
		links = append(links, navLink{Path: "/users/sign_up", Label: "Register"})
	}
	v.LeadAnywhere() // signing in may be a step of an authorization
	shown := formPage{Form: form, Links: links, About: v.about()}
	if v.Actor != nil {
		shown.Intro = []string{"The application that sent you here requires you to sign in again."}
	}
	return v.Show(status, "form_page", "Sign in", shown)
}

// about returns what administrators say on the sign-in page, or nil.
func (v *Visit) about() *page.About {
	now := v.web.store.Settings.Current()
	look, text := now.Appearance, now.SignInText
	if look.Logo == "" && look.Title == "" && look.Description == "" && (text == nil || *text == "") {
		return nil
	}
	a := &page.About{
		Logo: model.AppearanceLogo.Path(look.Logo), Title: look.Title, Texts: []template.HTML{page.Markdown(look.Description)},
	}
	if text != nil {
		a.Texts = append(a.Texts, page.Markdown(*text))
	}
	return a
}

// closeMessage hides a broadcast message from this browser.
// POST /-/broadcast_messages/close
func (w *Web) closeMessage(v *Visit) error {
	if id, err := strconv.ParseInt(v.Value("id"), 10, 64); err == nil {
		v.CloseMessage(id)
	}
	return v.Redirect(safePath(v.Value("return_to")))
}

// signIn checks a password.
func (w *Web) signIn(v *Visit) error {
	if err := v.limit(passwordAttempts); err != nil {
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
	return v.proceed(u, pending{
		UserID: u.ID, Back: back, At: clock.Now(ctx),
		Remember: v.Value("remember_me") == "1" && w.store.Settings.Current().RememberMeEnabled,
		Password: secret.Digest(u.PasswordHash),
	})
}

const (
	pendingCookie = "_svc_pending"
	pendingTime   = 10 * time.Minute
)

// pending is a sign-in that is not finished yet. Its password was correct.
type pending struct {
	UserID   int64     `json:"u"`
	Back     string    `json:"b"`
	Remember bool      `json:"r"`
	At       time.Time `json:"t"`
	Password []byte    `json:"p"` // digest of the hash: changing the password invalidates this sign-in
	Second   bool      `json:"s"` // the second factor was correct as well
}

// proceed continues a sign-in: with the second factor, a new password instead of an expired one, or the session.
func (v *Visit) proceed(u model.User, p pending) error {
	if err := usable(u); err != nil {
		return err
	}
	step := ""
	switch {
	case u.TwoFactor && !p.Second:
		step = "/users/two_factor"
	case access.PasswordExpired(u, v.Now()):
		step = "/users/password/expired"
	}
	if step != "" {
		if err := v.GiveSealed(pendingCookie, p, pendingTime); err != nil {
			return err
		}
		return v.Redirect(step)
	}
	may, err := v.begin(v.Request().Context(), u.ID, p.Remember)
	if err != nil {
		return err
	}
	v.DeleteCookie(pendingCookie)
	if !may {
		return v.showSignIn(http.StatusUnprocessableEntity, p.Back, u.Username, true)
	}
	return v.Redirect(p.Back)
}

// usable refuses accounts that cannot sign in. Only a client with the correct password learns this. Signing in
// reactivates a deactivated account.
func usable(u model.User) error {
	caller := u.Caller()
	if caller.State == model.UserDeactivated {
		caller.State = model.UserActive
	}
	if err := access.CheckState(caller); err != nil {
		return err
	}
	if u.ConfirmedAt == nil {
		return apierr.Forbidden(
			"Your mail address is not confirmed yet. Open the link that we mailed to you, or request a new one at /users/confirmation/new.",
		)
	}
	return nil
}

// pendingSignIn returns the sign-in that this browser has begun, and its user. If ok is false, the user has to start over.
func (v *Visit) pendingSignIn() (u model.User, p pending, ok bool, err error) {
	if !v.Sealed(pendingCookie, &p) || v.Now().Sub(p.At) > pendingTime {
		return u, p, false, nil
	}
	u, err = v.web.store.Users.Get(v.Request().Context(), p.UserID)
	if store.IsNotFound(err) {
		return u, p, false, nil
	}
	if err != nil {
		return u, p, false, err
	}
	same := secret.Equal(p.Password, secret.Digest(u.PasswordHash))
	return u, p, same && !access.Locked(v.web.store, u, v.Now()), nil
}

// startOver redirects to the beginning of a sign-in.
func (v *Visit) startOver() error {
	v.DeleteCookie(pendingCookie)
	if err := v.Tell(Flash{Text: "Please sign in again.", Alert: true}); err != nil {
		return err
	}
	return v.Redirect("/users/sign_in")
}

// signOut ends the session of this browser.
func (w *Web) signOut(v *Visit) error {
	if v.Actor != nil {
		if err := w.store.Sessions.DeleteOfUser(v.Request().Context(), v.Actor.User.ID, v.SessionID); err != nil {
			return err
		}
	}
	if to := w.store.Settings.Current().AfterSignOutPath; to != nil && *to != "" {
		v.endSession()
		return v.Redirect(*to)
	}
	return v.signedOut("You are signed out.")
}

// endSession deletes the cookie of an ended session.
func (v *Visit) endSession() {
	v.DeleteCookie(sessionCookie)
	v.Actor, v.Session = nil, ""
}

// signedOut deletes the cookie of an ended session, and shows why.
func (v *Visit) signedOut(text string) error {
	v.endSession()
	if err := v.Tell(Flash{Text: text}); err != nil {
		return err
	}
	return v.Redirect("/users/sign_in")
}

// limit counts a request of this address against a rate limit.
func (v *Visit) limit(rule limit.Rule) error {
	ctx := v.Request().Context()
	res, err := v.web.limiter.Take(ctx, rule, reqctx.Of(ctx).IP.String())
	if err == nil && res.Over() {
		return apierr.TooManyUntil(res.Wait())
	}
	return err
}
