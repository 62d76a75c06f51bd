package middleware

import (
	"strings"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

// Exact refuses a path whose last parameter contains a slash: Echo puts the whole rest of the path into a parameter at
// the end of a route, but the contract requires an encoded slash inside a parameter. Routes that do accept slashes say
// x-rest in the document.
func Exact(ops *Operations) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if values := c.ParamValues(); len(values) > 0 && strings.Contains(values[len(values)-1], "/") {
				if op := ops.Of(c); op != nil && !op.Rest {
					return apierr.NoRoute()
				}
			}
			return next(c)
		}
	}
}
