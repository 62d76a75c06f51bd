package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/transport/middleware"
	"svc/store"
	"svc/store/secret"
	"svc/tests/cputime"

	"github.com/labstack/echo/v4"
)

const (
	stepsLimit   = 40 * time.Microsecond
	bodyPatience = 30 * time.Second
)

// steps measures authentication, folding and validation of the update in this process: an Echo with these steps before
// an empty handler, minus the same Echo without them. It also measures the token's query alone.
func steps(ctx context.Context, o options, kind string, c dataCopy, rep *report) (err error) {
	st, err := store.Open(ctx, c.options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	q, err := openQueries(ctx, c.sqlitePath(), c.url)
	if err != nil {
		return err
	}
	defer q.close()
	ops, err := middleware.LoadOperations(gen.Requests)
	if err != nil {
		return err
	}
	auth := access.NewAuthenticator(st, access.NewUsage(st), true)
	digest := secret.Digest(token)
	found, err := leastCPU(o, []func() error{
		serve(ctx, stepsRoutes()),
		serve(ctx, stepsRoutes(
			middleware.Authenticate(ops, auth, middleware.Throttles{}),
			middleware.Sudo(ops, auth),
			middleware.Fold(ops, bodyPatience),
			middleware.Validate(ops),
		)),
		func() error {
			_, _, err := q.token(ctx, digest)
			return err
		},
	})
	if err != nil {
		return err
	}
	with, query := found[1]-found[0], found[2]
	what := "authentication, folding, validation at most 40 µs CPU, " + label(kind)
	rep.number(with <= stepsLimit, what, fmt.Sprintf("%.1f µs with the token's query", micros(with)))
	rep.number(with-query <= stepsLimit, what, fmt.Sprintf("%.1f µs without it (bare query: %.1f µs)", micros(with-query), micros(query)))
	return nil
}

// stepsRoutes always puts middleware.Begin in front. The steps need it, but it is not one of them.
func stepsRoutes(steps ...echo.MiddlewareFunc) *echo.Echo {
	e := echo.New()
	e.Use(middleware.Begin(baseURL, nil))
	e.Use(steps...)
	e.PUT(listPath+"/:key", func(echo.Context) error { return nil })
	return e
}

// serve passes the update to a handler, without a network. The context can be cancelled, like that of a real request,
// because database drivers do more work then.
func serve(ctx context.Context, h http.Handler) func() error {
	template := httptest.NewRequestWithContext(ctx, http.MethodPut, listPath+"/"+variableKey(0), nil)
	template.Header.Set("PRIVATE-TOKEN", token)
	template.Header.Set("Content-Type", "application/json")
	template.ContentLength = int64(len(updateBody))
	body := []byte(updateBody)
	return func() error {
		r := *template
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, &r)
		if answer.Code != http.StatusOK {
			return fmt.Errorf("the steps answered %d: %s", answer.Code, answer.Body)
		}
		return nil
	}
}

// leastCPU measures functions in turns and returns the least CPU time of one call of each.
func leastCPU(o options, functions []func() error) ([]time.Duration, error) {
	least := make([]time.Duration, len(functions))
	for round := range o.rounds + 1 { // the first round warms up
		for i, f := range functions {
			took, err := cpuPerCall(f, o.duration/2)
			if err != nil {
				return nil, err
			}
			if round <= 1 || took < least[i] {
				least[i] = took
			}
		}
	}
	return least, nil
}

func cpuPerCall(f func() error, duration time.Duration) (time.Duration, error) {
	before, err := cputime.Of(os.Getpid())
	if err != nil {
		return 0, err
	}
	calls := 0
	for start := time.Now(); time.Since(start) < duration; calls++ {
		if err := f(); err != nil {
			return 0, err
		}
	}
	after, err := cputime.Of(os.Getpid())
	return (after - before) / time.Duration(max(calls, 1)), err
}
