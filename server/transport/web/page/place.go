package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/naming"

	"github.com/labstack/echo/v4"
)

const (
	groupsPrefix = "/groups/"
	separator    = "/-/" // between the path of a project or group and the rest of an address
)

// Middleware passes requests for pages of projects, groups and users to serve. Their addresses begin with a path that
// no route can distinguish from others, so this comes before routing, after all other protocols.
func (k *Kit) Middleware(serve echo.HandlerFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if at, ok := k.locate(c.Request()); ok {
				c.Set(placeKey, at)
				return serve(c)
			}
			return next(c)
		}
	}
}

// placeKey is the key under which Middleware passes a place to ServePlace.
const placeKey = "place"

// place is an address below a project, group or user.
type place struct {
	path  string // of the project, group or user
	rest  string // what follows the separator, escaped
	group bool   // the address begins with /groups/
}

// locate splits an address, and reports whether it can be that of a page of a project, group or user.
func (k *Kit) locate(r *http.Request) (place, bool) {
	if !reads(r.Method) && r.Method != http.MethodPost || !utf8.ValidString(r.URL.Path) || strings.ContainsRune(r.URL.Path, 0) {
		return place{}, false
	}
	escaped, isGroup := strings.CutPrefix(r.URL.EscapedPath(), groupsPrefix)
	escaped = strings.TrimPrefix(escaped, "/")
	first, rest, deeper := strings.Cut(escaped, separator)
	if !deeper {
		first = strings.TrimSuffix(escaped, "/")
	}
	path, err := url.PathUnescape(first)
	top, _, _ := strings.Cut(path, "/")
	if err != nil || path == "" || !isGroup && naming.Reserved(top) || top == "-" {
		return place{}, false
	}
	at := place{path: path, rest: rest, group: isGroup}
	if !deeper && !isGroup { // every other address might be that of a project, group or user
		return at, reads(r.Method)
	}
	return at, k.handles(at, r.Method)
}

// handles reports whether a page of projects, groups or users has the rest of an address.
func (k *Kit) handles(at place, method string) bool {
	tables := []*routeTable{&k.projects, &k.users}
	if at.group {
		tables = []*routeTable{&k.groups}
	}
	for _, table := range tables {
		if route, _ := table.find(method, at.rest); route != nil {
			return true
		}
	}
	return false
}

// ServePlace answers a request that Middleware has passed on. Whether something does not exist or the caller may not see it,
// the answer is the same.
func (k *Kit) ServePlace(c echo.Context) error {
	at, _ := c.Get(placeKey).(place)
	finders := []func(echo.Context, place) (*Route, Handler){k.projectPage, k.groupPage, k.userPage, k.oldPage}
	tried := &Route{maxForm: maxForm}
	var handlers []Handler
	for _, find := range finders {
		if route, handler := find(c, at); route != nil {
			tried.audience = max(tried.audience, route.audience)
			tried.maxForm = max(tried.maxForm, route.maxForm)
			tried.programs = tried.programs || route.programs
			handlers = append(handlers, handler)
		}
	}
	tried.handler = func(v *Visit) error {
		for _, handler := range handlers {
			if err := handler(v); !isUnknown(err) {
				return err
			}
		}
		return apierr.NoRoute()
	}
	return k.Serve(c, tried)
}

// errUnknown says that an address names nothing that the caller may see, or that one kind of page does not know it.
var errUnknown = apierr.NoRoute()

func isUnknown(err error) bool { return err == errUnknown } //nolint:errorlint // never wrapped

// projectPage returns the page of a project at an address, if its path can be that of a project.
func (k *Kit) projectPage(c echo.Context, at place) (*Route, Handler) {
	route, params := k.projects.find(c.Request().Method, at.rest)
	if route == nil || at.group || !strings.Contains(at.path, "/") {
		return nil, nil
	}
	return route, func(v *Visit) error {
		row, err := k.access.Project(v.Request().Context(), at.path, route.ability)
		switch status := statusOf(err); {
		case status == http.StatusMovedPermanently:
			return v.moved(at)
		case err != nil && hides(v, status):
			return errUnknown
		case err != nil:
			return err
		}
		if row.Project.FullPath != at.path && reads(v.Request().Method) { // another case of letters
			return v.moveTo("/"+row.Project.FullPath, at)
		}
		v.Project, v.params = &row, params
		return route.handler(v)
	}
}

// groupPage returns the page of a group. Without /groups/, an address leads there.
func (k *Kit) groupPage(c echo.Context, at place) (*Route, Handler) {
	route, params := k.groups.find(c.Request().Method, at.rest)
	if route == nil || !at.group && at.rest != "" {
		return nil, nil
	}
	return route, func(v *Visit) error {
		group, role, err := k.access.GroupAt(v.Request().Context(), at.path, route.ability)
		if err != nil && hides(v, statusOf(err)) {
			return errUnknown
		}
		if err != nil {
			return err
		}
		if reads(v.Request().Method) && (!at.group || group.FullPath != at.path) {
			return v.moveTo(groupsPrefix+group.FullPath, at)
		}
		v.Group, v.params = &Group{Namespace: group, Role: role}, params
		return route.handler(v)
	}
}

// userPage returns the page of a user.
func (k *Kit) userPage(c echo.Context, at place) (*Route, Handler) {
	route, params := k.users.find(c.Request().Method, at.rest)
	if route == nil || at.group || strings.Contains(at.path, "/") {
		return nil, nil
	}
	return route, func(v *Visit) error {
		user, err := k.store.Users.GetByUsername(v.Request().Context(), at.path)
		if err = apierr.OrNotFound(err); err != nil && hides(v, statusOf(err)) {
			return errUnknown
		}
		if err != nil {
			return err
		}
		if user.Username != at.path && reads(v.Request().Method) {
			return v.moveTo("/"+user.Username, at)
		}
		v.Person, v.params = &user, params
		return route.handler(v)
	}
}

// hides reports whether a refusal must look like an address that does not exist: always for a page, and for a form
// unless the caller can see what it is about.
func hides(v *Visit, status int) bool {
	return status == http.StatusNotFound || status == http.StatusUnauthorized ||
		status == http.StatusForbidden && reads(v.Request().Method)
}

// moved redirects from a former path of a project to the current one.
func (v *Visit) moved(at place) error {
	path, err := v.kit.access.NewPath(v.Request().Context(), at.path)
	if err != nil {
		return errUnknown
	}
	return v.moveTo("/"+path, at)
}

// moveTo redirects to the same page at another path.
func (v *Visit) moveTo(path string, at place) error {
	to := path
	if at.rest != "" {
		to += separator + at.rest
	}
	if query := v.Request().URL.RawQuery; query != "" {
		to += "?" + query
	}
	return v.Redirect(to)
}

// statusOf returns the status of an API error, or 0.
func statusOf(err error) int {
	var e *apierr.Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// NotFound is the answer of pages to everything that does not exist or that the caller may not see.
func NotFound() error { return apierr.NoRoute() }

// Hide turns the refusals of access checks into NotFound, for pages that check further abilities.
func Hide(err error) error {
	switch statusOf(err) {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return NotFound()
	}
	return err
}
