package middleware

import (
	"net/http"
	"net/url"
	"strings"

	"svc/server/platform/brand"

	"github.com/labstack/echo/v4"
)

const corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

var corsExposed = "Deprecation, ETag, Link, Location, RateLimit-Limit, RateLimit-Observed, RateLimit-Remaining, RateLimit-Reset, " +
	"Retry-After, Sunset, WWW-Authenticate, X-Error-Code, X-Next-Page, X-Page, X-Per-Page, X-Prev-Page, X-Request-Id, X-Total, " +
	"X-Total-Pages, " + brand.Exposed()

// CORS lets pages of any origin call the API with a token, but only the service's own pages with the session cookie.
func CORS(baseURL string) echo.MiddlewareFunc {
	own := ""
	if u, err := url.Parse(baseURL); err == nil {
		own = u.Scheme + "://" + u.Host
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			origin := r.Header.Get("Origin")
			if origin == "" || !strings.HasPrefix(r.URL.Path, "/api/") {
				return next(c)
			}
			h := c.Response().Header()
			if origin == own {
				h.Set("Access-Control-Allow-Origin", origin)
				h.Set("Access-Control-Allow-Credentials", "true")
			} else {
				h.Set("Access-Control-Allow-Origin", "*")
			}
			if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
				h.Set("Access-Control-Expose-Headers", corsExposed)
				return next(c)
			}
			h.Set("Access-Control-Allow-Methods", corsMethods)
			if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
				h.Set("Access-Control-Allow-Headers", asked)
			}
			h.Set("Access-Control-Max-Age", "7200")
			return c.NoContent(http.StatusNoContent)
		}
	}
}
