package middleware

import (
	"fmt"
	"net/http"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

// MaxURI is the largest accepted length of a request's URI; longer input belongs in a body.
const MaxURI = 16 << 10

// hintURI is the hint of a URL that is too long.
var hintURI = fmt.Sprintf("A URL may have at most %d bytes. Send the parameters in a body.", MaxURI)

// tooLargeBody refuses a body over the limit of its operation.
func tooLargeBody(limit int64) error {
	if limit < 1 {
		return apierr.TooLarge()
	}
	return apierr.WithHint(apierr.TooLarge(), fmt.Sprintf("The body may have at most %d bytes.", limit))
}

// Size refuses URLs and bodies that are too large, before anything reads them.
func Size(ops *Operations) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if len(r.RequestURI) > MaxURI {
				return apierr.WithHint(apierr.URITooLong(), hintURI)
			}
			if op := ops.Of(c); op != nil && r.Body != nil && r.Body != http.NoBody {
				if r.ContentLength > op.MaxBody {
					c.Response().Header().Set("Connection", "close") // do not wait for the rest
					return tooLargeBody(op.MaxBody)
				}
				r.Body = http.MaxBytesReader(c.Response(), r.Body, op.MaxBody)
			}
			return next(c)
		}
	}
}
