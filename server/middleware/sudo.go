package middleware

import (
	"strings"

	"svc/server/access"
	"svc/server/apierr"

	"github.com/labstack/echo/v4"
)

const maxSudo = 255

// Sudo lets an administrator act as another user, and holds everybody else to their token's scopes: with sudo the
// scope that counts is sudo itself.
func Sudo(ops *Operations, auth *access.Authenticator) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op, req := ops.Of(c), info(c)
			if op == nil || op.Raw {
				return next(c)
			}
			as := c.Request().Header.Get("Sudo")
			if as == "" && strings.Contains(c.Request().URL.RawQuery, "sudo") {
				as = c.QueryParam("sudo")
			}
			if as == "" {
				if req.Actor != nil {
					if err := access.CheckScope(req.Actor, op.Accepted); err != nil {
						return err
					}
				}
				return next(c)
			}
			if len(as) > maxSudo || !cleanText(as) {
				return apierr.BadParameter("sudo is invalid")
			}
			actor, err := auth.Sudo(c.Request().Context(), req.Actor, as)
			if err != nil {
				return err
			}
			req.Actor = actor
			return next(c)
		}
	}
}
