package middleware

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// Suffix changes paths before routing. It removes a .json or a slash at the end if no route has it. It turns
// /api/v3/user, which old OAuth clients still request, into /api/v4/user.
func Suffix(e *echo.Echo) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			u := c.Request().URL
			switch {
			case u.Path == "/api/v3/user" && c.Request().Method == http.MethodGet:
				u.Path = "/api/v4/user"
			case strings.HasSuffix(u.Path, ".json") && !routed(e, c):
				u.Path = strings.TrimSuffix(u.Path, ".json")
				u.RawPath = strings.TrimSuffix(u.RawPath, ".json")
			case strings.HasPrefix(u.Path, "/api/v4/") && endsInSlash(u) && !ownSlash(e, c):
				u.Path = strings.TrimSuffix(u.Path, "/")
				u.RawPath = strings.TrimSuffix(u.RawPath, "/")
			}
			return next(c)
		}
	}
}

// endsInSlash reports whether a path ends in a literal slash, not in an encoded one.
func endsInSlash(u *url.URL) bool { return strings.HasSuffix(u.EscapedPath(), "/") }

// ownSlash reports whether the route for a path ends in a slash as well, or accepts any rest.
func ownSlash(e *echo.Echo, c echo.Context) bool {
	probe := e.AcquireContext()
	defer e.ReleaseContext(probe)
	probe.Reset(c.Request(), c.Response())
	e.Router().Find(c.Request().Method, echo.GetPath(c.Request()), probe)
	return strings.HasSuffix(probe.Path(), "/")
}

// routed reports whether a route of any method matches the path as it is.
func routed(e *echo.Echo, c echo.Context) bool {
	probe := e.AcquireContext()
	defer e.ReleaseContext(probe)
	probe.Reset(c.Request(), c.Response())
	path := echo.GetPath(c.Request())
	e.Router().Find(c.Request().Method, path, probe)
	return probe.Path() != ""
}
