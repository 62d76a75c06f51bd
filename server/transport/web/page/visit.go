package page

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

const (
	maxForm  = 1 << 20          // bytes of a form, unless its route says more
	patience = 30 * time.Second // how long a form of no more bytes may take to arrive
	slowest  = 256 << 10        // bytes of a larger form that arrive in a second
)

// Visit is one request of a browser, with its user and what its address names.
type Visit struct {
	echo.Context
	Actor *reqctx.Actor // nil for an anonymous visitor

	Project *model.ProjectRow // the project of the page, if any
	Group   *Group            // the group of the page, if any
	Person  *model.User       // the user of the page, if any

	Session      string     // the cookie of the session; empty for an anonymous visitor
	SessionID    int64      // of the session
	SessionSince time.Time  // when the session began
	Due          *time.Time // when the user must have a second factor, if a group requires it and they have none
	Policy       string     // what this page may do beside what all pages may: a part of its Content-Security-Policy

	kit    *Kit
	params map[string]string // of a route of a project, group or user
}

// Group is a group as the caller sees it.
type Group struct {
	model.Namespace
	Role model.Access // of the caller
}

// Fetching lets the script of a page make requests to the service; it is a part of Visit.Policy.
const Fetching = " connect-src 'self';"

// errTwoSessions is the response to two session cookies: another page or host set one of them, and we cannot know
// which.
var errTwoSessions = apierr.BadRequest("Your browser sent two session cookies. Delete the cookies of this site and sign in again.")

// Visit identifies the user of the browser. An expired session is not an error: the page is shown as to an anonymous
// visitor.
func (k *Kit) Visit(c echo.Context) (*Visit, error) {
	v := &Visit{Context: c, kit: k, Policy: " form-action 'self';"}
	cookies := c.Request().CookiesNamed(k.cookie(SessionCookie))
	switch {
	case len(cookies) > 1:
		return nil, errTwoSessions
	case len(cookies) == 0 || cookies[0].Value == "":
		return v, nil
	}
	cookie := cookies[0].Value
	session, actor, err := k.auth.Browser(c.Request().Context(), cookie)
	if IsRefusal(err) {
		v.DeleteCookie(SessionCookie)
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.Actor, v.Session, v.SessionID = actor, cookie, session.ID
	v.SessionSince, v.Due = session.CreatedAt, session.TwoFactorDue
	reqctx.Of(c.Request().Context()).Actor = actor
	return v, v.touchSession(session)
}

// Now returns the time of the clock of the request.
func (v *Visit) Now() time.Time { return clock.Now(v.Request().Context()) }

// May reports whether the caller has an ability in the project or group of the page, for example to show a button.
func (v *Visit) May(ability access.Ability) bool {
	ctx := v.Request().Context()
	if v.Project != nil {
		return access.InProject(ctx, *v.Project, ability) == nil
	}
	return v.Group != nil && access.InGroup(ctx, v.Group.Role, ability) == nil
}

// lacksFactor reports whether the user had to set up a second factor before now.
func (v *Visit) lacksFactor() bool { return v.Due != nil && !v.Now().Before(*v.Due) }

// readForm reads the body of a form of up to a number of bytes, within a limit of time. The caller must call removeFiles at
// the end.
func (v *Visit) readForm(most int64) error {
	r := v.Request()
	until := time.Now().Add(patience + time.Duration(max(most-maxForm, 0)/slowest)*time.Second)
	_ = http.NewResponseController(v.Response()).SetReadDeadline(until) // not every connection has deadlines
	if r.ContentLength > most {
		v.Response().Header().Set("Connection", "close")
		return apierr.TooLarge()
	}
	r.Body = http.MaxBytesReader(v.Response(), r.Body, most)
	parse := r.ParseForm
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		parse = func() error { return r.ParseMultipartForm(maxForm) }
	}
	if err := parse(); err != nil {
		return BadForm(err)
	}
	if r.Method == http.MethodDelete { // ParseForm does not read the body of a DELETE
		data, err := io.ReadAll(r.Body)
		if err == nil {
			r.PostForm, err = url.ParseQuery(string(data))
		}
		if err != nil {
			return BadForm(err)
		}
	}
	return checkText(r.PostForm)
}

// removeFiles removes the temporary files of a form. The HTTP server does not: it has another copy of the request.
func (v *Visit) removeFiles() {
	if form := v.Request().MultipartForm; form != nil {
		_ = form.RemoveAll() // what cannot be removed is in the folder of temporary files
	}
}

// Value returns a field of the form that was sent; parameters of the URL do not count.
func (v *Visit) Value(name string) string { return v.Request().PostForm.Get(name) }

// Values returns all values of a field of the form that was sent.
func (v *Visit) Values(name string) []string { return v.Request().PostForm[name] }

// Param returns a part of the address that the route names, such as «iid» of "issues/:iid"; "*" is the rest of the path.
func (v *Visit) Param(name string) string {
	if value, ok := v.params[name]; ok {
		return value
	}
	return v.Context.Param(name)
}

// Number returns a part of the address that is a positive number; any other text is a 404.
func (v *Visit) Number(name string) (int64, error) {
	n, err := strconv.ParseInt(v.Param(name), 10, 64)
	if err != nil || n < 1 {
		return 0, apierr.NotFound("")
	}
	return n, nil
}

// Redirect redirects to a page of this service; the browser does not send a form again.
func (v *Visit) Redirect(path string) error {
	if reads(v.Request().Method) {
		return v.Context.Redirect(http.StatusFound, path)
	}
	return v.Context.Redirect(http.StatusSeeOther, path)
}

// Done redirects to a page, which shows what was done.
func (v *Visit) Done(path, text string) error {
	if err := v.Tell(Flash{Text: text}); err != nil {
		return err
	}
	return v.Redirect(path)
}

// AskToSignIn redirects to the sign-in page, and from there back here.
func (v *Visit) AskToSignIn() error { return v.Redirect(v.signInPath()) }

// signInPath returns the path of the sign-in page, which leads back here.
func (v *Visit) signInPath() string {
	back := "/"
	if reads(v.Request().Method) {
		back = v.Request().URL.RequestURI()
	}
	return "/users/sign_in?" + url.Values{"return_to": {back}}.Encode()
}

// IsRefusal reports whether an error is a refusal, not a failure of the service.
func IsRefusal(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status < http.StatusInternalServerError
}

// StatusOf returns the status of the response to a form: 422 if it is shown again with errors.
func StatusOf(broken map[string][]string) int {
	if len(broken) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}
