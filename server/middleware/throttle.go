package middleware

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"svc/server/apierr"
	"svc/server/limit"

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
	h.Set("Retry-After", strconv.FormatInt(int64(math.Ceil(time.Until(res.Reset).Seconds())), 10))
	return &apierr.Error{Status: http.StatusTooManyRequests, Text: "Retry later\n"}
}

// OperationLimit holds a caller to the limit that an operation names in x-limit: by user, or by address for the
// anonymous, and by the thing that the path names first.
func OperationLimit(ops *Operations, limiter *limit.Limiter) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op := ops.Of(c)
			if op == nil || op.Limit.Most == 0 {
				return next(c)
			}
			if err := takeNamed(c.Request().Context(), limiter, op.Limit, c); err != nil {
				return err
			}
			return next(c)
		}
	}
}

func takeNamed(ctx context.Context, limiter *limit.Limiter, rule limit.Rule, c echo.Context) error {
	req := info(c)
	caller := req.IP.String()
	if req.Actor != nil {
		caller = strconv.FormatInt(req.Actor.User.ID, 10)
	}
	if values := c.ParamValues(); len(values) > 0 {
		caller += ":" + strings.ToLower(values[0])
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
