package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"svc/server/platform/access"

	"github.com/labstack/echo/v4"
)

// Route is the address of a page, and its handler.
type Route struct {
	path     string // of Echo, or the pattern below a project, group or user
	audience Audience
	ability  access.Ability // in the project or group
	maxForm  int64
	programs bool // programs may send an access token instead of a session
	handler  Handler
}

// NewRoute returns a route for Kit.Serve, for pages that find their addresses themselves.
func NewRoute(may Audience, h Handler) *Route {
	return &Route{audience: may, maxForm: maxForm, handler: h}
}

// MaxForm sets how many bytes the form of a page may have; the default is 1 MiB.
func (r *Route) MaxForm(bytes int64) *Route {
	r.maxForm = bytes
	return r
}

// largestForm returns how many bytes the form of a visitor may have. Visitors who must sign in first send no large forms.
func (r *Route) largestForm(v *Visit) int64 {
	if v.Actor == nil && r.audience.mustSignIn() {
		return min(r.maxForm, maxForm)
	}
	return r.maxForm
}

// Package is a package of pages.
type Package interface {
	// Register adds the pages.
	Register(r *Router)
}

// Router adds the pages of a package. A page is registered once, for GET or POST; GET includes HEAD.
//
// The addresses of fixed pages begin with a part that no user or group can be called: /-/, /admin/, /users/.
// The other addresses are patterns below a project, a group or a user: a part such as ":iid" matches one part of the
// address, and "*" at the end matches the rest, slashes included. Visit.Param returns both, unescaped.
type Router struct {
	echo *echo.Echo
	kit  *Kit
}

// Router returns a router that adds fixed pages to e and all others to the kit.
func (k *Kit) Router(e *echo.Echo) *Router { return &Router{echo: e, kit: k} }

// Get adds a fixed page.
func (r *Router) Get(path string, may Audience, h Handler) *Route {
	r.kit.fixed[path] = true
	route := r.Add(http.MethodGet, path, may, h)
	r.echo.HEAD(path, func(c echo.Context) error { return r.kit.Serve(c, route) })
	return route
}

// Post adds a form with a fixed address.
func (r *Router) Post(path string, may Audience, h Handler) *Route {
	return r.Add(http.MethodPost, path, may, h)
}

// Add adds a fixed address for any method.
func (r *Router) Add(method, path string, may Audience, h Handler) *Route {
	route := &Route{path: path, audience: may, maxForm: maxForm, handler: h}
	r.echo.Add(method, path, func(c echo.Context) error { return r.kit.Serve(c, route) })
	return route
}

// Project adds a page of a project, for callers with an ability: /{project}/-/{pattern}, or /{project} for the empty
// pattern. The handler finds the project in Visit.Project. Others get a 404, or a 403 for a form if they see the project.
func (r *Router) Project(method, pattern string, ability access.Ability, h Handler) *Route {
	return r.kit.projects.add(method, pattern, ability, h)
}

// Group adds a page of a group: /groups/{group}/-/{pattern}, or /groups/{group} for the empty pattern. The handler finds
// the group in Visit.Group.
func (r *Router) Group(method, pattern string, ability access.Ability, h Handler) *Route {
	return r.kit.groups.add(method, pattern, ability, h)
}

// User adds a page of a user: /{username}/-/{pattern}, or /{username} for the empty pattern. The handler finds the user in
// Visit.Person, and decides what of them the caller may see.
func (r *Router) User(method, pattern string, h Handler) *Route {
	return r.kit.users.add(method, pattern, "", h)
}

// Nav adds a link to the side navigation of a section. It is shown on all pages whose path begins with the prefix.
func (r *Router) Nav(s Section, path, label string) { r.kit.addNav(s, path, label) }

// routeTable holds the pages of projects, groups or users.
type routeTable struct {
	routes    []patternRoute
	elsewhere []string // patterns of pages that are served without this table
}

type patternRoute struct {
	*Route
	method string
	parts  []string
}

func (t *routeTable) add(method, pattern string, ability access.Ability, h Handler) *Route {
	route := &Route{path: pattern, ability: ability, maxForm: maxForm, handler: h}
	if !reads(method) {
		route.audience = Members
	}
	t.routes = append(t.routes, patternRoute{Route: route, method: method, parts: split(pattern)})
	return route
}

// has reports whether there is a page that people open at a pattern.
func (t *routeTable) has(pattern string) bool {
	for _, r := range t.routes {
		if r.method == http.MethodGet && r.path == pattern {
			return true
		}
	}
	return slices.Contains(t.elsewhere, pattern)
}

// find returns the route of an escaped address below a project, group or user, with its parameters. A literal part wins over a
// parameter, because it is more exact.
func (t *routeTable) find(method, escaped string) (*Route, map[string]string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	given := split(escaped)
	var best patternRoute
	var params map[string]string
	for _, r := range t.routes {
		if r.method != method {
			continue
		}
		if found, ok := match(r.parts, given); ok && (best.Route == nil || moreExact(r.parts, best.parts)) {
			best, params = r, found
		}
	}
	return best.Route, params
}

func split(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// match compares the parts of a pattern with those of an escaped address.
func match(pattern, given []string) (map[string]string, bool) {
	params := map[string]string{}
	for i, part := range pattern {
		if part == "*" {
			rest, err := url.PathUnescape(strings.Join(given[min(i, len(given)):], "/"))
			params["*"] = rest
			return params, err == nil && i < len(given)
		}
		if i >= len(given) {
			return nil, false
		}
		value, err := url.PathUnescape(given[i])
		switch name, isParam := strings.CutPrefix(part, ":"); {
		case err != nil:
			return nil, false
		case isParam && value != "":
			params[name] = value
		case part != value:
			return nil, false
		}
	}
	return params, len(pattern) == len(given)
}

// moreExact reports whether a pattern is more exact than another one that matches as well: at the first difference, a
// literal part comes before a parameter, and a parameter before the rest.
func moreExact(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if rank(a[i]) != rank(b[i]) {
			return rank(a[i]) < rank(b[i])
		}
	}
	return len(a) > len(b)
}

func rank(part string) int {
	switch {
	case part == "*":
		return 2
	case strings.HasPrefix(part, ":"):
		return 1
	}
	return 0
}
