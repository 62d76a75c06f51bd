package middleware

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// Suffix changes paths before they are routed: a .json that no route has is dropped, and version 3's /user, which old
// OAuth clients still ask for, is version 4's.
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
			}
			return next(c)
		}
	}
}

// routed tells whether a route of any method fits the path as it is.
func routed(e *echo.Echo, c echo.Context) bool {
	probe := e.AcquireContext()
	defer e.ReleaseContext(probe)
	probe.Reset(c.Request(), c.Response())
	path := echo.GetPath(c.Request())
	e.Router().Find(c.Request().Method, path, probe)
	return probe.Path() != ""
}
