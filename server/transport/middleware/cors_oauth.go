package middleware

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// corsOAuth lists the paths of the OAuth provider that pages of other origins may call, with their methods. Such calls
// never use a cookie.
var corsOAuth = map[string]string{
	"/oauth/token":                            "POST",
	"/oauth/revoke":                           "POST",
	"/oauth/userinfo":                         "GET, HEAD, POST",
	"/oauth/token/info":                       "GET, HEAD",
	"/oauth/discovery/keys":                   "GET, HEAD",
	"/.well-known/openid-configuration":       "GET, HEAD",
	"/.well-known/oauth-authorization-server": "GET, HEAD",
	"/.well-known/webfinger":                  "GET, HEAD",
}

// simpleHeaders lists the headers that need no permission, and Authorization. Authorization is not allowed on paths
// that read no token.
var simpleHeaders = []string{"accept", "accept-language", "content-language", "content-type", "range", "authorization"}

// CORSForOAuth lets pages of any origin call the OAuth provider. A preflight that names any other header, such as
// X-Requested-With, or another method gets no permission.
func CORSForOAuth(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		methods, known := corsOAuth[r.URL.Path]
		if !known || r.Header.Get("Origin") == "" {
			return next(c)
		}
		h := c.Response().Header()
		asked := r.Header.Get("Access-Control-Request-Method")
		if r.Method != http.MethodOptions || asked == "" {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate, X-Error-Code")
			return next(c)
		}
		if slices.Contains(strings.Split(methods, ", "), asked) && permitted(r) {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Allow-Methods", methods)
			if names := r.Header.Get("Access-Control-Request-Headers"); names != "" {
				h.Set("Access-Control-Allow-Headers", names)
			}
			h.Set("Access-Control-Max-Age", "7200")
		}
		return c.NoContent(http.StatusNoContent)
	}
}

// permitted reports whether a preflight names only allowed headers. Documents that need no token do not allow
// Authorization.
func permitted(r *http.Request) bool {
	for name := range strings.SplitSeq(strings.Join(r.Header.Values("Access-Control-Request-Headers"), ","), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "" && !slices.Contains(simpleHeaders, name) {
			return false
		}
		if name == "authorization" && (strings.HasPrefix(r.URL.Path, "/.well-known/") || r.URL.Path == "/oauth/discovery/keys") {
			return false
		}
	}
	return true
}
