package middleware

import (
	"bytes"
	"io"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/fold"

	"github.com/labstack/echo/v4"
)

const maxSudo = 255

// Sudo lets an administrator act as another user, and checks the scopes of every token. The scope sudo is needed in
// addition to a scope that the operation accepts, and does not replace it.
func Sudo(ops *Operations, auth *access.Authenticator) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op, req := ops.Of(c), info(c)
			if op == nil || op.Raw {
				return next(c)
			}
			as, err := sudoOf(c)
			if err != nil {
				return err
			}
			if req.Actor != nil && as == "" {
				if err := access.CheckScope(req.Actor, op.Accepted); err != nil {
					return err
				}
			}
			if as == "" {
				return next(c)
			}
			if len(as) > maxSudo || !cleanText(as) {
				return apierr.BadParameter("sudo is invalid")
			}
			actor, err := auth.Sudo(c.Request().Context(), req.Actor, as)
			if err != nil {
				return err
			}
			if err := access.CheckScope(actor, op.Accepted); err != nil {
				return err
			}
			req.Actor = actor
			return next(c)
		}
	}
}

var errSudo = apierr.BadParameter("sudo is invalid")

// sudoOf returns the user that the caller wants to act as, from the header, or from the query parameter as one text. It
// refuses any other form of the parameter, because the request would run as the administrator.
func sudoOf(c echo.Context) (string, error) {
	as := c.Request().Header.Get("Sudo")
	if !mentionsSudo(c.Request().URL.RawQuery) {
		return as, nil
	}
	for name, values := range c.QueryParams() {
		switch {
		case isSudoList(name):
			return "", errSudo
		case name != "sudo":
			continue
		case len(values) > 1 || (as != "" && !strings.EqualFold(as, values[0])):
			return "", errSudo
		}
		as = values[0]
	}
	return as, nil
}

// mentionsSudo reports whether a raw query may contain the parameter, plain or escaped.
func mentionsSudo(raw string) bool {
	return raw != "" && (strings.Contains(raw, "sudo") || strings.Contains(raw, "%"))
}

// isSudoList reports whether a name is sudo[], sudo[0] and the like.
func isSudoList(name string) bool { return strings.HasPrefix(name, "sudo[") }

var errSudoInBody = apierr.BadParameter("sudo is invalid in the body; send it in the query string or in the header Sudo")

// checkBody refuses sudo in the body: it would be ignored there, and the request would run as the administrator.
func checkBody(body map[string]any) error {
	for _, name := range []string{"sudo", "sudo[]"} {
		if _, given := body[name]; given {
			return errSudoInBody
		}
	}
	return nil
}

// peekBody is checkBody for an operation that reads no parameters from the body. It checks only requests of
// administrators, because sudo has no effect for others. A large body, or one of another type, does not contain
// parameters.
func peekBody(c echo.Context) error {
	r, actor := c.Request(), info(c).Actor
	if r.ContentLength <= 0 || r.ContentLength > smallBody || actor == nil || (!actor.User.Admin && actor.SudoBy == nil) {
		return nil
	}
	media, _, err := mediaType(r.Header.Get(echo.HeaderContentType))
	isJSON := media == echo.MIMEApplicationJSON
	if err != nil || (!isJSON && media != echo.MIMEApplicationForm) {
		return nil
	}
	data, err := readAll(r)
	if err != nil {
		return bodyError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	var body map[string]any
	if isJSON {
		value, _ := fold.JSON(data, fold.DefaultLimits) // a body that cannot be read names no user
		body, _ = value.(map[string]any)
	} else if pairs, err := fold.ParseQuery(string(data), fold.DefaultLimits); err == nil {
		body, _ = fold.Nest(pairs, nil, fold.DefaultLimits)
	}
	return checkBody(body)
}
