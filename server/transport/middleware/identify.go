package middleware

import (
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"

	"github.com/labstack/echo/v4"
)

// Identify finds the caller of a request that is not an operation of the document, by the credentials that the API
// accepts, except job tokens. It throttles like the API and supports sudo. accepted lists the scopes that suffice. A
// session that writes needs the CSRF token.
func Identify(
	c echo.Context, auth *access.Authenticator, throttles Throttles, writes bool, accepted ...string,
) (*reqctx.Actor, error) {
	ctx, found := c.Request().Context(), find(c.Request())
	var actor *reqctx.Actor
	var err error
	switch {
	case found.bearer != "":
		actor, err = auth.Bearer(ctx, found.bearer)
	case found.job != "", found.doubled:
		err = apierr.Unauthorized()
	case found.session != "":
		actor, err = auth.Session(ctx, found.session, c.Request().Header.Get("X-CSRF-Token"), !writes)
	}
	if err != nil {
		return nil, refuse(c, err, throttles)
	}
	info(c).Actor = actor
	if err := throttles.Users(func(echo.Context) error { return nil })(c); err != nil {
		return nil, err
	}
	as, err := sudoOf(c)
	if err != nil {
		return nil, err
	}
	if as != "" {
		if len(as) > maxSudo || !cleanText(as) {
			return nil, errSudo
		}
		if actor, err = auth.Sudo(ctx, actor, as); err != nil {
			return nil, err
		}
	}
	if actor != nil {
		err = access.CheckScope(actor, accepted)
	}
	return actor, err
}
