package middleware

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/server/apierr"
	"svc/server/limit"
	"svc/server/request"

	"github.com/labstack/echo/v4"
)

// Throttles are the limits on requests as such: by address for callers without a credential, by user for the others.
type Throttles struct {
	Limiter         *limit.Limiter
	Unauthenticated limit.Rule
	Authenticated   limit.Rule
}

// Addresses throttles callers that bring no credential, by their address.
func (t Throttles) Addresses(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if t.Unauthenticated.Most == 0 || !isAPI(c) || hasCredential(c.Request()) {
			return next(c)
		}
		if err := t.take(c, t.Unauthenticated, info(c).IP.String()); err != nil {
			return err
		}
		return next(c)
	}
}

// Users throttles those that have proved who they are, and counts failed proofs against the address.
func (t Throttles) Users(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		actor := info(c).Actor
		if t.Authenticated.Most == 0 || actor == nil {
			return next(c)
		}
		if err := t.take(c, t.Authenticated, strconv.FormatInt(actor.User.ID, 10)); err != nil {
			return err
		}
		return next(c)
	}
}

// Failed counts a credential that was refused against the address, so that guessing is throttled like asking.
func (t Throttles) Failed(c echo.Context) error {
	if t.Unauthenticated.Most == 0 {
		return nil
	}
	return t.take(c, t.Unauthenticated, info(c).IP.String())
}

func (t Throttles) take(c echo.Context, rule limit.Rule, caller string) error {
	res, err := t.Limiter.Take(c.Request().Context(), rule, caller)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	perMinute := math.Round(float64(rule.Most) / rule.Window.Minutes())
	h.Set("RateLimit-Limit", strconv.FormatInt(int64(perMinute), 10))
	h.Set("RateLimit-Name", rule.Name)
	h.Set("RateLimit-Observed", strconv.FormatInt(res.Observed, 10))
	h.Set("RateLimit-Remaining", strconv.FormatInt(res.Remaining(), 10))
	h.Set("RateLimit-Reset", strconv.FormatInt(res.Reset.Unix(), 10))
	if !res.Over() {
		return nil
	}
	h.Set("RateLimit-ResetTime", res.Reset.UTC().Format(http.TimeFormat))
	h.Set("Retry-After", strconv.Itoa(res.Wait()))
	return &apierr.Error{Status: http.StatusTooManyRequests, Text: "Retry later\n"}
}

// ProjectID finds the id of the project that a path names; 0 for none.
type ProjectID func(ctx context.Context, path string) (int64, error)

// OperationLimit holds a caller to the limit that an operation names in x-limit: by user, or by address for the
// anonymous, and by the thing that the path names first. A project is the same one by its id and by its path.
func OperationLimit(ops *Operations, limiter *limit.Limiter, project ProjectID) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op := ops.Of(c)
			if op == nil || op.Limit.Most == 0 {
				return next(c)
			}
			var thing string
			var err error
			if !op.Limit.Everywhere {
				thing, err = named(c, project)
			}
			if err == nil {
				err = takeNamed(c.Request().Context(), limiter, op.Limit, info(c), thing)
			}
			if err != nil {
				return err
			}
			return next(c)
		}
	}
}

// named is the thing that the path of a request names first.
func named(c echo.Context, project ProjectID) (string, error) {
	values := c.ParamValues()
	if len(values) == 0 {
		return "", nil
	}
	thing := strings.ToLower(values[0])
	if _, err := strconv.ParseInt(thing, 10, 64); err == nil || !strings.HasPrefix(c.Path(), "/api/v4/projects/") {
		return thing, nil
	}
	path, err := url.PathUnescape(thing) // the router leaves values as they are
	if err != nil {
		return thing, nil //nolint:nilerr // no project has such a path, which the operation says
	}
	id, err := project(c.Request().Context(), path)
	if id > 0 {
		thing = strconv.FormatInt(id, 10)
	}
	return thing, err
}

func takeNamed(ctx context.Context, limiter *limit.Limiter, rule limit.Rule, req *request.Info, thing string) error {
	caller := req.IP.String()
	if req.Actor != nil {
		caller = strconv.FormatInt(req.Actor.User.ID, 10)
	}
	if thing != "" {
		caller += ":" + thing
	}
	res, err := limiter.Take(ctx, rule, caller)
	if err != nil {
		return err
	}
	if res.Over() {
		return apierr.TooMany(rule.Text)
	}
	return nil
}

func isAPI(c echo.Context) bool { return strings.HasPrefix(c.Request().URL.Path, "/api/") }
