package web

import (
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// The parts of the kit that the pages of this package use, under short names.
type (
	// Form is a form that a person fills in.
	Form = page.Form
	// Field is one input of a form.
	Field = page.Field
	// Option is one choice of a field.
	Option = page.Option
	// Flash is a message that only the next page shows.
	Flash = page.Flash

	formPage = page.FormPage
	navLink  = page.Link
	navGroup = page.NavGroup
	pager    = page.Pager
	audience = page.Audience
)

const (
	anyone        = page.Anyone
	members       = page.Members
	admins        = page.Admins
	sessionCookie = page.SessionCookie
	fetching      = page.Fetching
)

func statusOf(broken map[string][]string) int { return page.StatusOf(broken) }

func isRefusal(err error) bool { return page.IsRefusal(err) }

func badForm(err error) error { return page.BadForm(err) }

func encodeBase64(b []byte) string { return page.EncodeBase64(b) }

// CSRF returns the token that forms and scripts of a session send with writes.
func CSRF(cookie string) string { return page.CSRF(cookie) }

// Handler answers one request of a browser.
type Handler func(v *Visit) error

// Visit is one request of a browser to a page of this package.
type Visit struct {
	*page.Visit

	web   *Web
	group *model.Namespace // the group whose settings the page shows, if any
}

// handler returns a handler in the form of the kit.
func (w *Web) handler(h Handler) page.Handler {
	return func(v *page.Visit) error { return h(&Visit{Visit: v, web: w}) }
}

func (w *Web) get(e *echo.Echo, path string, h Handler, may audience) {
	w.kit.Router(e).Get(path, may, w.handler(h))
}

func (w *Web) post(e *echo.Echo, path string, h Handler, may audience) {
	w.kit.Router(e).Post(path, may, w.handler(h))
}

// Show responds with a page: its template is templates/<name>.html, which sees data as .Page.
func (v *Visit) Show(status int, name, title string, data any, scripts ...string) error {
	view := page.View{Templates: v.web.templates, Name: name, Status: status, Title: title, Data: data, Scripts: scripts}
	if v.group != nil {
		view.Nav = v.groupNav()
	}
	return v.Visit.Show(view)
}

// idParam returns the id of the path; a text that is not a number is a 404.
func (v *Visit) idParam() (int64, error) { return v.Number("id") }

// Failure responds to a browser with an error page, and reports whether it did: programs get JSON.
func (w *Web) Failure(c echo.Context, e *apierr.Error) bool { return w.kit.Failure(c, e) }
