package web

import (
	"context"
	"embed"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"svc/oauth"
	"svc/openapi/operations"
	"svc/server/domain/account"
	"svc/server/domain/discussion/notify"
	"svc/server/domain/key"
	"svc/server/platform/access"
	"svc/server/transport/middleware/limit"
	"svc/server/transport/web/page"
	"svc/store"

	"github.com/labstack/echo/v4"
)

//go:embed templates
var templates embed.FS

// Dependencies are the dependencies and settings of the pages.
type Dependencies struct {
	Store   *store.Store
	Auth    *access.Authenticator
	Judge   *access.Access
	Limiter *limit.Limiter
	OAuth   *oauth.Provider
	Letters *account.Mails
	Keys    *key.Service
	Links   notify.Links // links that end subscriptions
	URL     string       // external base URL, without a trailing slash
	Key     string       // the instance's secret key, which seals cookies
	// Document is the published OpenAPI document, which the explorer shows.
	Document []byte

	Lifetime access.Lifetime
	// Sites finds the site of a host and a page; a *store.NotFoundError if there is none. It is nil if sites are off.
	Sites func(ctx context.Context, host, address string) (Site, error)
	// Ask queues a mail with a link to an address.
	Ask func(ctx context.Context, job account.MailLink) error
	// Packages are the packages with the other pages.
	Packages []page.Package
}

// Web serves the pages outside of the API. A page is a Handler for which Register adds a path: it reads Value, does its
// work, and responds with Show or Redirect.
type Web struct {
	store      *store.Store
	auth       *access.Authenticator
	access     *access.Access
	limiter    *limit.Limiter
	oauth      *oauth.Provider
	letters    *account.Mails
	keyService *key.Service
	links      notify.Links
	factors    *account.TwoFactors
	queueMail  func(ctx context.Context, job account.MailLink) error
	sites      func(ctx context.Context, host, address string) (Site, error)
	url        string
	kit        *page.Kit
	templates  *page.Templates
	packages   []page.Package

	index func() (*operations.Index, error) // of the API; read when it is first needed

	lifetime access.Lifetime
	host     string // host of the service
}

// New prepares the pages; templates are parsed when they are first needed.
func New(d Dependencies) (*Web, error) {
	factors, err := account.NewTwoFactors(d.Store, d.Key)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(d.URL)
	if err != nil {
		return nil, err
	}
	kit, err := page.NewKit(page.Options{
		Store: d.Store, Auth: d.Auth, Access: d.Judge, URL: d.URL, Key: d.Key,
		SecondFactor: twoFactorPath, WithoutFactor: []string{twoFactorPath, "/users/sign_out"}, AnyText: []string{authorizePath},
	})
	if err != nil {
		return nil, err
	}
	w := &Web{
		store: d.Store, auth: d.Auth, access: d.Judge, limiter: d.Limiter, oauth: d.OAuth, letters: d.Letters,
		keyService: d.Keys, links: d.Links, factors: factors, queueMail: d.Ask, sites: d.Sites,
		url: d.URL, kit: kit, templates: page.NewTemplates(templates), packages: d.Packages,
		lifetime: d.Lifetime, host: base.Host,
	}
	w.index = sync.OnceValues(func() (*operations.Index, error) { return operations.Read(d.Document) })
	return w, nil
}

// Register adds the pages to the router.
func (w *Web) Register(e *echo.Echo) {
	page.ServeAssets(e)
	w.kit.ServeBrand(e)
	w.authorization(e)
	w.get(e, "/users/sign_in", w.signInForm, anyone)
	w.post(e, "/users/sign_in", w.signIn, anyone)
	w.post(e, "/users/sign_out", w.signOut, anyone)
	w.post(e, "/-/broadcast_messages/close", w.closeMessage, anyone)
	w.kit.Router(e).Add(http.MethodDelete, "/users/sign_out", anyone, w.handler(w.signOut))
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
	w.get(e, helpPath, w.help, anyone)
	w.unsubscriptions(e)
	w.get(e, SiteSignInPath, w.siteSignIn, members)
	w.settings(e)
	w.applications(e)
	r := w.kit.Router(e)
	w.navigation(r)
	for _, p := range w.packages {
		p.Register(r)
	}
	r.Nav(page.Administration, adminApplications, "Applications")
	r.GroupSettingsElsewhere(strings.TrimPrefix(groupShelfPath, "/-/"), "Applications", access.AdminGroup)
}

// Places passes requests for the pages of projects, groups and users to them; wrap adds the first middleware.
func (w *Web) Places(wrap func(echo.HandlerFunc) echo.HandlerFunc) echo.MiddlewareFunc {
	return w.kit.Middleware(wrap(w.kit.ServePlace))
}

// Kit returns what all pages share; it knows their addresses.
func (w *Web) Kit() *page.Kit { return w.kit }
