package web

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"svc/oauth"
	"svc/openapi/operations"
	"svc/server/domain/account"
	"svc/server/domain/ci/engine"
	"svc/server/domain/discussion/notify"
	"svc/server/domain/key"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

// Dependencies are the dependencies and settings of the pages.
type Dependencies struct {
	Store   *store.Store
	Auth    *access.Authenticator
	Judge   *access.Access
	Engine  *engine.Engine
	Pusher  *push.Pusher
	Logs    Logs
	Limiter *limit.Limiter
	OAuth   *oauth.Provider
	Letters *account.Mails
	Keys    *key.Service
	Links   notify.Links // links that end subscriptions
	URL     string       // external base URL, without a trailing slash
	Key     string       // the instance's secret key, which seals cookies
	// Document is the published OpenAPI document, which the explorer shows.
	Document []byte

	Registration string // off, approval or open
	Lifetime     access.Lifetime
	// Sites finds the site of a host and a page; a *store.NotFoundError if there is none. It is nil if sites are off.
	Sites func(ctx context.Context, host, address string) (Site, error)
	// Ask queues a mail with a link to an address.
	Ask func(ctx context.Context, job account.MailLink) error
}

// Web serves the pages outside of the API. A page is a Handler for which Register adds a path: it reads Value, does its
// work, and responds with Show or Redirect.
type Web struct {
	store      *store.Store
	auth       *access.Authenticator
	access     *access.Access
	engine     *engine.Engine
	pusher     *push.Pusher
	logs       Logs
	limiter    *limit.Limiter
	oauth      *oauth.Provider
	letters    *account.Mails
	keyService *key.Service
	links      notify.Links
	factors    *account.TwoFactors
	queueMail  func(ctx context.Context, job account.MailLink) error
	sites      func(ctx context.Context, host, address string) (Site, error)
	url        string
	secure     bool // cookies are for https only
	vault      secret.Vault
	origin     *http.CrossOriginProtection
	pages      *pages

	projectPages map[string]func(place) Handler
	index        func() (*operations.Index, error) // of the API; read when it is first needed

	registration string
	lifetime     access.Lifetime
	host         string // host of the service
}

// New prepares the pages; templates are parsed when they are first needed.
func New(d Dependencies) (*Web, error) {
	vault, err := secret.NewVault(d.Key, "browser cookies")
	if err != nil {
		return nil, err
	}
	factors, err := account.NewTwoFactors(d.Store, d.Key)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(d.URL)
	if err != nil {
		return nil, err
	}
	origin := http.NewCrossOriginProtection()
	if err := origin.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
		return nil, err
	}
	w := &Web{
		store: d.Store, auth: d.Auth, access: d.Judge, engine: d.Engine, pusher: d.Pusher, logs: d.Logs,
		limiter: d.Limiter, oauth: d.OAuth, letters: d.Letters, keyService: d.Keys, links: d.Links, factors: factors, queueMail: d.Ask,
		sites: d.Sites, url: d.URL, secure: base.Scheme == "https",
		vault: vault, origin: origin, pages: newPages(), registration: d.Registration, lifetime: d.Lifetime, host: base.Host,
	}
	w.projectPages = w.pagesOfProjects()
	w.index = sync.OnceValues(func() (*operations.Index, error) { return operations.Read(d.Document) })
	return w, nil
}

// Register adds the pages to the router.
func (w *Web) Register(e *echo.Echo) {
	w.assets(e)
	w.authorization(e)
	w.get(e, "/", w.home, anyone)
	w.get(e, "/users/sign_in", w.signInForm, anyone)
	w.post(e, "/users/sign_in", w.signIn, anyone)
	w.post(e, "/users/sign_out", w.signOut, anyone)
	w.add(e, http.MethodDelete, "/users/sign_out", w.signOut, anyone)
	w.get(e, "/users/two_factor", w.secondStepForm, anyone)
	w.post(e, "/users/two_factor", w.secondStep, anyone)
	w.get(e, "/users/password/new", w.forgottenForm, anyone)
	w.post(e, "/users/password/new", w.forgotten, anyone)
	w.get(e, "/users/password/edit", w.resetForm, anyone)
	w.post(e, "/users/password/edit", w.reset, anyone)
	w.get(e, "/users/password/expired", w.expiredForm, anyone)
	w.post(e, "/users/password/expired", w.expired, anyone)
	w.get(e, "/users/confirmation", w.confirmForm, anyone)
	w.post(e, "/users/confirmation", w.confirm, anyone)
	w.get(e, "/users/confirmation/new", w.resendForm, anyone)
	w.post(e, "/users/confirmation/new", w.resend, anyone)
	w.get(e, "/users/sign_up", w.registerForm, anyone)
	w.post(e, "/users/sign_up", w.register, anyone)
	w.explorer(e)
	w.unsubscriptions(e)
	w.get(e, SiteSignInPath, w.siteSignIn, members)
	w.settings(e)
	w.administration(e)
	w.applications(e)
}

// Handler answers one request of a browser.
type Handler func(v *Visit) error

// Users who may see a page.
type audience int

const (
	anyone   audience = iota
	members           // signed-in users; others are sent to the sign-in page
	admins            // administrators; others get a 404
	maxForm  = 1 << 20
	patience = 30 * time.Second // how long a form may take to arrive
)

func (w *Web) get(e *echo.Echo, path string, h Handler, may audience) {
	w.add(e, http.MethodGet, path, h, may)
	w.add(e, http.MethodHead, path, h, may)
}

func (w *Web) post(e *echo.Echo, path string, h Handler, may audience) {
	w.add(e, http.MethodPost, path, h, may)
}

// add registers a page. For a write, the form is checked before the handler runs.
func (w *Web) add(e *echo.Echo, method, path string, h Handler, may audience) {
	e.Add(method, path, func(c echo.Context) error { return w.serve(c, method, path, h, may) })
}

// mustSignIn reports whether a page is only for users who are signed in.
func (a audience) mustSignIn() bool { return a == members || a == admins }

// now returns the time of the clock of the request.
func (v *Visit) now() time.Time { return clock.Now(v.Request().Context()) }

// lacksFactor reports whether the user had to set up a second factor before now.
func (v *Visit) lacksFactor() bool { return v.due != nil && !v.now().Before(*v.due) }

// serve checks the caller and the form, and then runs a handler.
func (w *Web) serve(c echo.Context, method, path string, h Handler, may audience) error {
	v, err := w.visit(c)
	if err != nil {
		return err
	}
	if path != authorizePath { // the OAuth state may be any bytes
		if err := checkText(v.QueryParams()); err != nil {
			return err
		}
	}
	writes := method != http.MethodGet && method != http.MethodHead
	if writes {
		if err := v.readForm(); err != nil {
			return err
		}
	}
	switch {
	case v.lacksFactor() && !opensWithoutFactor[path]:
		return v.Redirect(twoFactorPath)
	case v.Actor == nil && may.mustSignIn():
		return v.askToSignIn()
	case may == admins && !v.Actor.User.Admin:
		return apierr.NotFound("")
	case writes:
		if err := v.checkForm(); err != nil {
			return err
		}
	}
	return h(v)
}

// Visit is one request of a browser, with its user.
type Visit struct {
	echo.Context
	Actor   *reqctx.Actor // nil for an anonymous visitor
	web     *Web
	cookie  string // of the session; empty for an anonymous visitor
	session int64
	since   time.Time        // when the session began
	group   *model.Namespace // the group whose settings the page shows, if any
	policy  string           // where forms of this page may lead to, beside our pages
	due     *time.Time       // when the user must have a second factor, if a group requires it and they have none
}

// errTwoSessions is the response to two session cookies: another page or host set one of them, and we cannot know
// which.
var errTwoSessions = apierr.BadRequest("Your browser sent two session cookies. Delete the cookies of this site and sign in again.")

// visit identifies the user of the browser. An expired session is not an error: the page is shown as to an anonymous
// visitor.
func (w *Web) visit(c echo.Context) (*Visit, error) {
	v := &Visit{Context: c, web: w, policy: " form-action 'self';"}
	cookies := c.Request().CookiesNamed(w.cookie(sessionCookie))
	switch {
	case len(cookies) > 1:
		return nil, errTwoSessions
	case len(cookies) == 0 || cookies[0].Value == "":
		return v, nil
	}
	cookie := cookies[0].Value
	session, actor, err := w.auth.Browser(c.Request().Context(), cookie)
	if isRefusal(err) {
		v.deleteCookie(sessionCookie)
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.Actor, v.cookie, v.session = actor, cookie, session.ID
	v.since, v.due = session.CreatedAt, session.TwoFactorDue
	reqctx.Of(c.Request().Context()).Actor = actor
	return v, v.touchSession(session)
}

// readForm reads the body of a form, within limits of size and time.
func (v *Visit) readForm() error {
	r := v.Request()
	_ = http.NewResponseController(v.Response()).SetReadDeadline(time.Now().Add(patience)) // not every connection has deadlines
	if r.ContentLength > maxForm {
		v.Response().Header().Set("Connection", "close")
		return apierr.TooLarge()
	}
	r.Body = http.MaxBytesReader(v.Response(), r.Body, maxForm)
	parse := r.ParseForm
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		parse = func() error { return r.ParseMultipartForm(maxForm) }
	}
	if err := parse(); err != nil {
		return badForm(err)
	}
	if r.Method == http.MethodDelete { // ParseForm does not read the body of a DELETE
		data, err := io.ReadAll(r.Body)
		if err == nil {
			r.PostForm, err = url.ParseQuery(string(data))
		}
		if err != nil {
			return badForm(err)
		}
	}
	return checkText(r.PostForm)
}

// Value returns a field of the form that was sent; parameters of the URL do not count.
func (v *Visit) Value(name string) string { return v.Request().PostForm.Get(name) }

// Values returns all values of a field of the form that was sent.
func (v *Visit) Values(name string) []string { return v.Request().PostForm[name] }

// Redirect redirects to a page of this service; the browser does not send a form again.
func (v *Visit) Redirect(path string) error {
	if m := v.Request().Method; m == http.MethodGet || m == http.MethodHead {
		return v.Context.Redirect(http.StatusFound, path)
	}
	return v.Context.Redirect(http.StatusSeeOther, path)
}
