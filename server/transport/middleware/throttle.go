package middleware

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/transport/middleware/limit"

	"github.com/labstack/echo/v4"
)

// Throttles holds the general rate limits: by address for requests without a credential, by user for the others. The
// limits may change between requests. The zero value has none.
type Throttles struct {
	Limiter         *limit.Limiter
	Unauthenticated limit.Current
	Authenticated   limit.Current
}

// Addresses throttles requests without a credential, by address.
func (t Throttles) Addresses(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		rule := t.Unauthenticated.Rule()
		if rule.Max == 0 || !isAPI(c) || hasCredential(c.Request()) {
			return next(c)
		}
		if err := t.take(c, rule, info(c).IP.String()); err != nil {
			return err
		}
		return next(c)
	}
}

// Users throttles requests of authenticated users. Failed counts refused credentials.
func (t Throttles) Users(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		actor, rule := info(c).Actor, t.Authenticated.Rule()
		if rule.Max == 0 || actor == nil {
			return next(c)
		}
		if err := t.take(c, rule, strconv.FormatInt(actor.User.ID, 10)); err != nil {
			return err
		}
		return next(c)
	}
}

// Failed counts a refused credential against the address, so that guessing is throttled like anonymous requests.
func (t Throttles) Failed(c echo.Context) error {
	rule := t.Unauthenticated.Rule()
	if rule.Max == 0 {
		return nil
	}
	return t.take(c, rule, info(c).IP.String())
}

func (t Throttles) take(c echo.Context, rule limit.Rule, caller string) error {
	res, err := t.Limiter.Take(c.Request().Context(), rule, caller)
	if err != nil {
		return err
	}
	announce(c, res)
	if !res.Over() {
		return nil
	}
	text := rule.Text
	if text == "" {
		text = "Retry later"
	}
	return &apierr.Error{Status: http.StatusTooManyRequests, Text: text + "\n"}
}

// announce writes the headers of a limit.
func announce(c echo.Context, res limit.Result) {
	h := c.Response().Header()
	for name, value := range res.Header() {
		h.Set(name, value)
	}
}

// ProjectID finds the id of the project with a path; 0 if there is none.
type ProjectID func(ctx context.Context, path string) (int64, error)

// OperationLimit applies the limit that an operation names in x-limit. It counts by user, or by address for anonymous
// callers, and by the first parameter of the path. A project counts as the same by its id and by its path. The response
// has the headers of the general throttle, if there is one, unless the operation's own limit is exceeded. Operations
// whose requests count only in some cases count them themselves.
func OperationLimit(ops *Operations, limiter *limit.Limiter, sizes func() limit.Sizes, project ProjectID) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			op := ops.Of(c)
			if op == nil || op.Limit.Name == "" || op.Limit.ByOperation {
				return next(c)
			}
			rule := op.Limit
			rule.Max = sizes()[rule.Name]
			actor := info(c).Actor
			if rule.Max == 0 || (rule.ExemptAdmins && actor != nil && actor.User.Admin) {
				return next(c)
			}
			var thing string
			var err error
			if !rule.AllProjects {
				thing, err = firstParameter(c, project)
			}
			if err == nil {
				err = takeNamed(c, limiter, rule, thing)
			}
			if err != nil {
				return err
			}
			return next(c)
		}
	}
}

// firstParameter returns the first parameter of the path, with the path of a project replaced by its id.
func firstParameter(c echo.Context, project ProjectID) (string, error) {
	values := c.ParamValues()
	if len(values) == 0 {
		return "", nil
	}
	thing := strings.ToLower(values[0])
	if _, err := strconv.ParseInt(thing, 10, 64); err == nil || !strings.HasPrefix(c.Path(), "/api/v4/projects/") {
		return thing, nil
	}
	path, err := url.PathUnescape(thing) // the router does not unescape values
	if err != nil {
		return thing, nil //nolint:nilerr // no project has such a path, which the operation says
	}
	id, err := project(c.Request().Context(), path)
	if id > 0 {
		thing = strconv.FormatInt(id, 10)
	}
	return thing, err
}

func takeNamed(c echo.Context, limiter *limit.Limiter, rule limit.Rule, thing string) error {
	req := info(c)
	caller := req.IP.String()
	if req.Actor != nil {
		caller = strconv.FormatInt(req.Actor.User.ID, 10)
	}
	if thing != "" {
		caller += ":" + thing
	}
	res, err := limiter.Take(c.Request().Context(), rule, caller)
	if err != nil {
		return err
	}
	if res.Over() {
		return apierr.WithHint(apierr.TooMany(rule.Text, res.Header()), rule.Hint())
	}
	if c.Response().Header().Get("RateLimit-Name") == "" {
		announce(c, res)
	}
	return nil
}

func isAPI(c echo.Context) bool { return strings.HasPrefix(c.Request().URL.Path, "/api/") }
