package middleware

import (
	"net/http"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

// MaxURI is the largest accepted length of a request's URI; longer input belongs in a body.
const MaxURI = 16 << 10

// Size refuses URLs and bodies that are too large, before anything reads them.
func Size(ops *Operations) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if len(r.RequestURI) > MaxURI {
				return apierr.URITooLong()
			}
			if op := ops.Of(c); op != nil && r.Body != nil && r.Body != http.NoBody {
				if r.ContentLength > op.MaxBody {
					c.Response().Header().Set("Connection", "close") // do not wait for the rest
					return apierr.TooLarge()
				}
				r.Body = http.MaxBytesReader(c.Response(), r.Body, op.MaxBody)
			}
			return next(c)
		}
	}
}
