package middleware

import (
	"context"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

// uploadAddress matches the escaped path of an upload below the path of its project, which clients build from the url in
// the answer to the upload.
var uploadAddress = regexp.MustCompile(`^/(.+)(/uploads/[0-9a-f]{32}/[^/]+)$`)

// Uploads changes the addresses of uploads before routing: /{path}/uploads/… becomes /-/project/{id}/uploads/…, and a
// double slash at the beginning, which some clients make, becomes one.
func Uploads(find func(ctx context.Context, path string) (int64, error)) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			u := c.Request().URL
			if !strings.Contains(u.Path, "/uploads/") {
				return next(c)
			}
			if strings.HasPrefix(u.Path, "//-/") {
				setPath(u, strings.TrimPrefix(u.EscapedPath(), "/"))
			}
			at := uploadAddress.FindStringSubmatch(u.EscapedPath())
			if at == nil || strings.HasPrefix(u.Path, "/-/") || strings.HasPrefix(u.Path, "/api/") || at[1] == "-" ||
				strings.Contains(at[1], "/-/") { // a page of a project, with a file of that name
				return next(c)
			}
			path, err := url.PathUnescape(at[1])
			if err != nil {
				return next(c)
			}
			if id, err := find(c.Request().Context(), path); err == nil {
				setPath(u, "/-/project/"+strconv.FormatInt(id, 10)+at[2])
			}
			return next(c)
		}
	}
}

// setPath replaces the path of a URL by an escaped path.
func setPath(u *url.URL, escaped string) {
	if path, err := url.PathUnescape(escaped); err == nil {
		u.Path, u.RawPath = path, escaped
	}
}
