package middleware

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/secret"

	"github.com/labstack/echo/v4"
)

// Authenticate identifies the caller. Every operation refuses a wrong credential: the caller never becomes anonymous
// instead. An operation that needs a credential refuses anonymous callers.
func Authenticate(ops *Operations, auth *access.Authenticator, throttles Throttles) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op := ops.Of(c)
			if op == nil || op.Raw || op.Runner {
				return next(c)
			}
			found := find(c.Request())
			if op.Basic {
				found = found.orBasic(c.Request())
			}
			info(c).Ahead = ahead(c, op)
			actor, err := caller(c, op, auth, found)
			if err != nil {
				return refuse(c, found.explain(err, op), throttles)
			}
			info(c).UnreadCredential = isUnread(c.Request(), found)
			if actor == nil && !op.Anonymous {
				return missing(info(c).UnreadCredential)
			}
			info(c).Actor = actor
			return next(c)
		}
	}
}

// ahead returns the project or group that a request is about.
func ahead(c echo.Context, op *Operation) *store.Ahead {
	if !op.Project && !op.Group {
		return nil
	}
	ref, err := url.PathUnescape(c.Param("id"))
	if err != nil {
		return nil
	}
	id, err := strconv.ParseInt(ref, 10, 64)
	if err == nil {
		ref = ""
	} else {
		id = 0
	}
	if op.Group {
		return store.AheadOfGroup(id, ref)
	}
	return store.AheadOfProject(id, ref)
}

// missing refuses a caller without a credential.
func missing(unread bool) error {
	if unread {
		return apierr.WithReason(apierr.Unauthorized(), "invalid_request", "The Authorization header must have the form Bearer TOKEN.")
	}
	return apierr.Unauthorized()
}

// explain adds to the challenge of a 401 why the credential is refused. It depends on the form of the credential alone,
// so it does not reveal which ones exist. The refusal of a known token already contains its own reason.
func (c credentials) explain(err error, op *Operation) error {
	const reason = "invalid_token"
	switch {
	case c.bearer == "" && c.job == "":
		err = apierr.WithReason(err, reason, "The session is unknown or has ended, or X-CSRF-Token is missing or wrong.")
		return hintUnauthorized(err, apierr.HintSession)
	case c.bearer == "" && !op.JobToken:
		err = apierr.WithReason(err, reason, "This operation does not accept job tokens.")
		return hintUnauthorized(err, apierr.HintJobToken)
	}
	err = apierr.WithReason(err, reason, "The token is unknown or not accepted here.")
	if strings.HasPrefix(c.bearer, secret.DeployTokenPrefix) {
		return hintUnauthorized(err, apierr.HintDeployToken)
	}
	return err
}

// hintUnauthorized adds a hint to a 401.
func hintUnauthorized(err error, hint string) error {
	if isUnauthorized(err) {
		return apierr.WithHint(err, hint)
	}
	return err
}

func caller(c echo.Context, op *Operation, auth *access.Authenticator, found credentials) (*reqctx.Actor, error) {
	r := c.Request()
	ctx := r.Context()
	switch {
	case found.bearer != "":
		actor, err := auth.Bearer(ctx, found.bearer)
		if isUnauthorized(err) && op.Rotation {
			return nil, auth.RevokeReusedFamily(ctx, found.bearer, err)
		}
		// A job token may also come as a bearer token, but only if the operation accepts job tokens.
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

// refuse throttles guessing: a refused credential counts against the address, and a caller over the limit gets a 429.
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
