package page

import (
	"net/http"
	"net/url"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

// Options are the dependencies and settings of the kit.
type Options struct {
	Store  *store.Store
	Auth   *access.Authenticator
	Access *access.Access
	URL    string // external base URL, without a trailing slash
	Key    string // the instance's secret key, which seals cookies

	// SecondFactor is the page on which users turn on their second factor. A user who must do that first sees only
	// this page and those in WithoutFactor.
	SecondFactor  string
	WithoutFactor []string
	// AnyText lists the pages whose parameters may be any bytes.
	AnyText []string
}

// Kit is what all pages share: the caller, the layout, forms, errors and routes.
type Kit struct {
	store  *store.Store
	auth   *access.Authenticator
	access *access.Access
	url    string
	secure bool // cookies are for https only
	vault  secret.Vault
	origin *http.CrossOriginProtection

	secondFactor  string
	withoutFactor map[string]bool
	anyText       map[string]bool

	own      *Templates // of the kit itself
	projects routeTable
	groups   routeTable
	users    routeTable
	fixed    map[string]bool // paths of pages without a project, group or user
	sections []section

	projectSettings []tabLink // the side navigation of the settings of projects
	groupSettings   []tabLink
}

// NewKit returns the kit without routes.
func NewKit(o Options) (*Kit, error) {
	vault, err := secret.NewVault(o.Key, "browser cookies")
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	origin := http.NewCrossOriginProtection()
	if err := origin.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
		return nil, err
	}
	return &Kit{
		store: o.Store, auth: o.Auth, access: o.Access, url: o.URL, secure: base.Scheme == "https", vault: vault, origin: origin,
		secondFactor: o.SecondFactor, withoutFactor: set(o.WithoutFactor), anyText: set(o.AnyText),
		own: NewTemplates(templates), fixed: map[string]bool{},
	}, nil
}

func set(texts []string) map[string]bool {
	all := map[string]bool{}
	for _, text := range texts {
		all[text] = true
	}
	return all
}

// URL returns the external base URL of the service, without a trailing slash.
func (k *Kit) URL() string { return k.url }

// Vault seals the cookies and form fields whose content browsers can neither read nor change.
func (k *Kit) Vault() secret.Vault { return k.vault }

// Handler answers one request of a browser.
type Handler func(v *Visit) error

// Audience says which users may see a page.
type Audience int

// The audiences of pages.
const (
	Anyone  Audience = iota
	Members          // signed-in users; others are sent to the sign-in page
	Admins           // administrators; others get a 404
)

// mustSignIn reports whether a page is only for users who are signed in.
func (a Audience) mustSignIn() bool { return a == Members || a == Admins }

// Serve checks the caller and the form, and then runs the handler of a route.
func (k *Kit) Serve(c echo.Context, r *Route) error {
	v, err := k.Visit(c)
	if err != nil {
		return err
	}
	if r.programs {
		if err := v.useToken(); err != nil {
			return err
		}
	}
	if !k.anyText[r.path] {
		if err := checkText(v.QueryParams()); err != nil {
			return err
		}
	}
	writes := !reads(c.Request().Method)
	if writes {
		defer v.removeFiles()
		if err := v.readForm(r.largestForm(v)); err != nil {
			return err
		}
	}
	switch {
	case v.lacksFactor() && !k.withoutFactor[r.path]:
		return v.Redirect(k.secondFactor)
	case v.Actor == nil && r.audience.mustSignIn():
		return v.AskToSignIn()
	case r.audience == Admins && !v.Actor.User.Admin:
		return apierr.NotFound("")
	case writes:
		if err := v.checkForm(); err != nil {
			return err
		}
	}
	return r.handler(v)
}

// ServeUnproven runs a handler for a form that needs no proof that one of our pages has sent it.
func (k *Kit) ServeUnproven(c echo.Context, h Handler) error {
	v, err := k.Visit(c)
	if err != nil {
		return err
	}
	if err := checkText(v.QueryParams()); err != nil {
		return err
	}
	defer v.removeFiles()
	if err := v.readForm(maxForm); err != nil {
		return err
	}
	return h(v)
}

// reads reports whether requests with a method only read.
func reads(method string) bool { return method == http.MethodGet || method == http.MethodHead }
