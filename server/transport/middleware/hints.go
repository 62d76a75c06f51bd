package middleware

import (
	"net/http"
	"strings"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

// withHint adds a hint to an error that is probably a typing mistake. It looks only at the request.
func withHint(c echo.Context, e *apierr.Error) *apierr.Error {
	if e.Text != "" {
		return e
	}
	return asError(apierr.WithHint(e, hintFor(c, e.Status)))
}

func hintFor(c echo.Context, status int) string {
	in := info(c)
	switch status {
	case http.StatusBadRequest, http.StatusUnsupportedMediaType:
		if in.LooksLikeJSON {
			return apierr.HintJSON
		}
	case http.StatusUnauthorized:
		if in.UnreadCredential {
			return apierr.HintCredential
		}
	case http.StatusNotFound:
		if looksUnencoded(c) {
			return apierr.HintSlash
		}
		if in.UnreadCredential { // private resources are 404 to callers without a credential
			return apierr.HintCredential
		}
	}
	return ""
}

// looksUnencoded reports whether a URL seems to contain the path of a project or group with unencoded slashes.
func looksUnencoded(c echo.Context) bool {
	rest, inAPI := strings.CutPrefix(c.Request().URL.EscapedPath(), "/api/v4/")
	if !inAPI {
		return false
	}
	segments := strings.Split(strings.TrimSuffix(rest, "/"), "/")
	if len(segments) < 3 || isNumber(segments[1]) || strings.Contains(strings.ToUpper(segments[1]), "%2F") {
		return false
	}
	noRoute := info(c).Matched == nil
	switch segments[0] {
	case "projects": // the path of a project always has a slash
		return noRoute || strings.HasPrefix(c.Path(), "/api/v4/projects/:id/")
	case "groups": // the path of a group may have none
		return noRoute
	}
	return false
}

// looksLikeJSON reports whether a body begins like a JSON object or list.
func looksLikeJSON(body []byte) bool {
	start := strings.TrimSpace(string(body[:min(len(body), 64)]))
	return strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[")
}

// isUnread reports whether a request has an Authorization header, but no credential in a form that the service reads.
func isUnread(r *http.Request, found credentials) bool {
	return found == credentials{} && r.Header.Get("Authorization") != ""
}
