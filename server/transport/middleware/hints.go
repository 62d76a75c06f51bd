package middleware

import (
	"net/http"
	"strings"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

// explain completes the code and the hint of an error. It looks only at the request and the document, and runs only for
// errors.
func (o *Operations) explain(c echo.Context, e *apierr.Error) *apierr.Error {
	switch e.HeaderCode() {
	case apierr.TokenMissing:
		if info(c).Actor != nil { // the contract refuses some actions of known callers with 401
			e = asError(apierr.WithCode(e, apierr.NotPermitted))
		}
	case apierr.PathUnknown:
		e = o.explainPath(c, e)
	case apierr.MethodUnsupported:
		e = o.explainMethod(c, e)
	}
	if e.Text != "" {
		return e
	}
	e = asError(apierr.WithHint(e, hintFor(c, e.Status)))
	if e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity {
		return mentionSlips(c, e)
	}
	return e
}

// explainPath distinguishes a path of a section that the service does not offer from a typing mistake.
func (o *Operations) explainPath(c echo.Context, e *apierr.Error) *apierr.Error {
	path, method := c.Request().URL.EscapedPath(), c.Request().Method
	if looksUnencoded(c, "projects") { // the first parameter is not a project
		return replaceHint(e, apierr.HintSlash)
	}
	if o.isUnoffered(method, path) {
		return replaceHint(asError(apierr.WithCode(e, apierr.NotOffered)), apierr.HintNotOffered)
	}
	if e.Body.Hint == "" && !looksUnencoded(c, "groups") {
		return asError(apierr.WithHint(e, o.help().templates.hintForPath(method, path)))
	}
	return e
}

// explainMethod adds the method or the path that the client probably meant.
func (o *Operations) explainMethod(c echo.Context, e *apierr.Error) *apierr.Error {
	path, method := c.Request().URL.EscapedPath(), c.Request().Method
	switch {
	case e.Body.Error == "": // the operation itself refused
		return e
	case o.isUnoffered(method, path):
		return replaceHint(asError(apierr.WithCode(e, apierr.NotOffered)), apierr.HintNotOffered)
	}
	return asError(apierr.WithHint(e, o.help().templates.hintForMethod(method, path)))
}

// replaceHint returns an error with another hint.
func replaceHint(e *apierr.Error, hint string) *apierr.Error {
	replaced := *e
	replaced.Body.Hint = hint
	return &replaced
}

// mentionSlips adds to the hint which unknown parameters are almost those of the operation. Alone they are no error.
func mentionSlips(c echo.Context, e *apierr.Error) *apierr.Error {
	req := info(c)
	op, matched := req.Matched.(*Operation)
	in, folded := req.Input.(*input)
	if !matched || !folded || req.LooksLikeJSON {
		return e
	}
	found := slips(op, in, queryNames(c.Request().URL.RawQuery))
	if len(found) == 0 {
		return e
	}
	return replaceHint(e, strings.TrimSpace(e.Body.Hint+" "+strings.Join(found, " ")))
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
		if looksUnencoded(c, "projects") || looksUnencoded(c, "groups") {
			return apierr.HintSlash
		}
		if in.UnreadCredential { // private resources are 404 to callers without a credential
			return apierr.HintCredential
		}
	}
	return ""
}

// looksUnencoded reports whether a URL below projects or groups seems to contain a path with unencoded slashes.
func looksUnencoded(c echo.Context, section string) bool {
	rest, found := strings.CutPrefix(c.Request().URL.EscapedPath(), apiBase+"/"+section+"/")
	if !found {
		return false
	}
	id, below, _ := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
	if below == "" || isNumber(id) || strings.Contains(strings.ToUpper(id), "%2F") {
		return false
	}
	if info(c).Matched == nil {
		return true
	}
	// The path of a project always has a slash; that of a group may have none.
	return section == "projects" && strings.HasPrefix(c.Path(), "/api/v4/projects/:id/")
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
