package middleware

import (
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

// aliases are addresses of operations that some clients use, and the addresses that the document has for them.
var aliases = []struct {
	part string // of the path
	from *regexp.Regexp
	to   string
}{
	{"/-/search", regexp.MustCompile(`^(/api/v4/(?:groups|projects)/[^/]+)/-/search(\.json)?$`), "$1/search$2"},
	{"/svc_ci_ymls", regexp.MustCompile(`^(/api/v4/(?:projects/[^/]+/)?templates)/svc_ci_ymls(/.*)?$`), "$1/gitlab_ci_ymls$2"},
}

// Aliases changes such addresses before routing.
func Aliases(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		for _, a := range aliases {
			if strings.Contains(u.Path, a.part) {
				setPath(u, a.from.ReplaceAllString(u.EscapedPath(), a.to))
			}
		}
		return next(c)
	}
}
