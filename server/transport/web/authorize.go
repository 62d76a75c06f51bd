package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"svc/oauth"
	"svc/server/platform/events"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

// ticketTime is how long a user may look at the consent page.
const ticketTime = time.Hour

// ticket is the request that the consent page showed. It is sealed for the browser's session, so that the answer
// applies to the request that was shown, and it is valid for one answer.
type ticket struct {
	Query string    `json:"q"` // the request of the application
	Made  time.Time `json:"m"`
	ID    string    `json:"i"`
}

// consentPage asks the user whether to allow an application.
type consentPage struct {
	Application string
	Owner       string
	Leads       string // where the browser goes next
	Scopes      []scopeText
	Allow, Deny Form
}

const authorizePath = "/oauth/authorize"

// authorization adds the pages of OAuth.
func (w *Web) authorization(e *echo.Echo) {
	w.get(e, authorizePath, w.authorize, anyone)
	w.post(e, authorizePath, w.answer, members)
	w.kit.Router(e).Add(http.MethodDelete, authorizePath, members, w.handler(w.deny))
	w.get(e, "/oauth/authorize/native", w.native, members)
}

// authorize is the page to which an application sends a user: to sign in, to consent, and to go back with a code.
func (w *Web) authorize(v *Visit) error {
	params, err := url.ParseQuery(v.Request().URL.RawQuery)
	if err != nil {
		return w.refused(v, &oauth.Error{Code: "invalid_request", Description: "The address is invalid."})
	}
	ctx := v.Request().Context()
	ask, err := w.oauth.ReadAuthorizeRequest(ctx, params)
	var back *oauth.RedirectError
	if err != nil && !errors.As(err, &back) {
		return w.refused(v, err)
	}
	silent := slices.Contains(ask.Prompt, "none")
	switch {
	case v.Actor == nil && silent:
		return w.refused(v, w.oauth.Refuse(ask, "login_required"))
	case v.Actor == nil && err == nil && ask.NeedsSignIn(time.Time{}, clock.Now(ctx)):
		return w.askAgain(v, params)
	case v.Actor == nil: // also before an error redirects to the application: a mere link must not lead the user to another site
		return v.AskToSignIn()
	case err != nil:
		return w.refused(v, err)
	}
	return w.authorizeUser(v, ask, params, silent)
}

// authorizeUser continues a valid request of a signed-in user: it lets the user sign in again or consent if need be. A
// silent request is refused instead.
func (w *Web) authorizeUser(v *Visit, ask oauth.AuthorizeRequest, params url.Values, silent bool) error {
	again := ask.NeedsSignIn(v.SessionSince, v.Now()) && !w.signedInAgain(v, params)
	switch {
	case again && silent:
		return w.refused(v, w.oauth.Refuse(ask, "login_required"))
	case again:
		return w.askAgain(v, params)
	}
	asked, err := w.oauth.NeedsConsent(v.Request().Context(), ask, v.Actor.User.ID)
	switch {
	case err != nil:
		return err
	case asked && silent:
		return w.refused(v, w.oauth.Refuse(ask, "consent_required"))
	case asked:
		return w.consent(v, ask, params)
	}
	return w.allow(v, ask, nil)
}

// asked returns the request of an application, without other parameters of the URL.
func asked(params url.Values) string {
	kept := url.Values{}
	for _, name := range oauth.AuthorizeParameters {
		if params.Has(name) {
			kept[name] = params[name]
		}
	}
	return kept.Encode()
}

// consent shows the consent page.
func (w *Web) consent(v *Visit, ask oauth.AuthorizeRequest, params url.Values) error {
	plain, err := json.Marshal(ticket{Query: asked(params), Made: v.Now().UTC(), ID: secret.Random()})
	if err != nil {
		return err
	}
	sealed := Field{Name: "ticket", Value: encodeBase64(w.kit.Vault().Seal(plain, v.Owner("ticket")))}
	owner, err := w.owner(v.Request().Context(), ask, v.Actor.User)
	if err != nil {
		return err
	}
	page := consentPage{
		Application: ask.Application.Name, Owner: owner, Leads: redirectTarget(ask.RedirectURI), Scopes: describe(ask.Scopes),
		Allow: Form{Action: authorizePath, Submit: "Allow", Hidden: []Field{sealed}},
		Deny:  Form{Action: authorizePath, Submit: "Deny", Hidden: []Field{sealed, {Name: "_method", Value: "delete"}}, Danger: true},
	}
	v.LeadAnywhere()
	return v.Show(http.StatusOK, "consent", "Allow "+ask.Application.Name+"?", page)
}

// owner returns the owner of an application, for the consent page. It does not name a group that the user cannot see.
func (w *Web) owner(ctx context.Context, ask oauth.AuthorizeRequest, to model.Caller) (string, error) {
	switch app := ask.Application; {
	case app.UserID != nil:
		u, err := w.store.Users.Get(ctx, *app.UserID)
		return u.Name + " (@" + u.Username + ")", err
	case app.NamespaceID != nil:
		n, role, err := w.store.Namespaces.GetGroup(
			ctx, *app.NamespaceID, "", &store.Reader{UserID: to.ID, Admin: to.Admin, External: to.External},
		)
		if err == nil && !role.Visible {
			return "a group that you cannot see", nil
		}
		return "the group " + n.FullName, err
	}
	return "the administrators of this instance", nil
}

// redirectTarget returns where a redirect URI leads, as short as possible.
func redirectTarget(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return uri
	}
	return u.Scheme + "://" + u.Host
}

// answer handles the answer of the user. Forms cannot send DELETE, so denying is a field.
func (w *Web) answer(v *Visit) error {
	if v.Value("_method") == "delete" {
		return w.deny(v)
	}
	ask, id, err := w.ticket(v)
	if err != nil {
		return w.refused(v, err)
	}
	return w.allow(v, ask, secret.Digest(id))
}

func (w *Web) deny(v *Visit) error {
	ask, _, err := w.ticket(v)
	if err == nil {
		err = w.oauth.Refuse(ask, "access_denied")
	}
	return w.refused(v, err)
}

// ticket reads the request that was shown, and checks it again, because the application may have changed meanwhile.
func (w *Web) ticket(v *Visit) (oauth.AuthorizeRequest, string, error) {
	var t ticket
	raw, err := base64.RawURLEncoding.DecodeString(v.Value("ticket"))
	if err != nil {
		return oauth.AuthorizeRequest{}, "", page.ErrForm
	}
	plain, err := w.kit.Vault().Open(raw, v.Owner("ticket"))
	if err != nil || json.Unmarshal(plain, &t) != nil || v.Now().Sub(t.Made) > ticketTime {
		return oauth.AuthorizeRequest{}, "", page.ErrForm
	}
	params, err := url.ParseQuery(t.Query)
	if err != nil {
		return oauth.AuthorizeRequest{}, "", err
	}
	ask, err := w.oauth.ReadAuthorizeRequest(v.Request().Context(), params)
	return ask, t.ID, err
}

// allow gives the application its code.
func (w *Web) allow(v *Visit, ask oauth.AuthorizeRequest, ticket []byte) error {
	to := ""
	err := events.Audited(v.Request().Context(), w.store, func(ctx context.Context) (c events.Change, err error) {
		to, err = w.oauth.Allow(ctx, ask, oauth.Consent{User: v.Actor.User, SignedInAt: v.SessionSince, Ticket: ticket})
		if ticket != nil { // the user was asked
			in := events.User(v.Actor.User.ID, v.Actor.User.Username)
			c = events.Application(in, ask.Application, "application_authorized", "Authorized application")
			c.Add = strings.Join(ask.Scopes, " ")
		}
		return c, err
	})
	var again *store.ConflictError
	if errors.As(err, &again) {
		return page.ErrForm // this ticket was already used
	}
	if err != nil {
		return w.refused(v, err)
	}
	return v.leave(to)
}

// leave redirects the browser to another site, without a referrer.
func (v *Visit) leave(to string) error {
	h := v.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	return v.Context.Redirect(http.StatusFound, to)
}

// refused sends the error to the application, or shows it to the user if the browser must not leave.
func (w *Web) refused(v *Visit, err error) error {
	var back *oauth.RedirectError
	var told *oauth.Error
	switch {
	case errors.As(err, &back):
		return v.leave(back.URL)
	case errors.As(err, &told):
		return v.Show(http.StatusBadRequest, "refused", "This application cannot ask for access", told)
	}
	return err
}

var code = regexp.MustCompile(`\A[0-9a-f]{64}\z`)

// native shows a code to copy, for an application without a redirect URI.
func (w *Web) native(v *Visit) error {
	shown := v.QueryParam("code")
	if !code.MatchString(shown) {
		return w.refused(v, &oauth.Error{Code: "invalid_request", Description: "The address does not contain a code."})
	}
	return v.Show(http.StatusOK, "native", "Your code", shown)
}
