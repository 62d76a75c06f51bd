package middleware

import (
	"errors"
	"net/http"

	"svc/server/access"
	"svc/server/apierr"
	"svc/server/request"

	"github.com/labstack/echo/v4"
)

// Authenticate finds out who is calling. A credential that is wrong is refused everywhere: it never degrades to
// anonymous. An operation that needs one refuses callers without.
func Authenticate(ops *Operations, auth *access.Authenticator, throttles Throttles) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op := ops.Of(c)
			if op == nil || op.Raw || op.Runner {
				return next(c)
			}
			actor, err := caller(c, op, auth)
			if err != nil {
				return refuse(c, err, throttles)
			}
			if actor == nil && !op.Anonymous {
				return apierr.Unauthorized()
			}
			info(c).Actor = actor
			return next(c)
		}
	}
}

func caller(c echo.Context, op *Operation, auth *access.Authenticator) (*request.Actor, error) {
	r := c.Request()
	ctx, found := r.Context(), find(r)
	switch {
	case found.bearer != "":
		actor, err := auth.Bearer(ctx, found.bearer)
		if isUnauthorized(err) && op.Rotation {
			return nil, auth.Reused(ctx, found.bearer, err)
		}
		// A job token may come as a bearer, too, but only where job tokens are taken.
		if isUnauthorized(err) && op.JobToken && found.either {
			return auth.Job(ctx, found.bearer)
		}
		return actor, err
	case found.job != "" && op.JobToken:
		return auth.Job(ctx, found.job)
	case found.job != "":
		return nil, apierr.Unauthorized()
	case found.doubled:
		return nil, apierr.Unauthorized()
	case found.session != "":
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		return auth.Session(ctx, found.session, r.Header.Get("X-CSRF-Token"), reads)
	}
	return nil, nil
}

// refuse throttles guessing: a refused credential counts against the address, and over the limit that is the answer.
func refuse(c echo.Context, err error, throttles Throttles) error {
	if isUnauthorized(err) {
		if over := throttles.Failed(c); over != nil {
			return over
		}
	}
	return err
}

func isUnauthorized(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusUnauthorized
}
