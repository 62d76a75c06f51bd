package middleware

import (
	"strings"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

// Exact refuses a path whose last parameter has swallowed a slash: Echo gives the parameter at a route's end all that is
// left, and the contract wants a slash inside a parameter encoded. Where it does not, the document says x-rest.
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
