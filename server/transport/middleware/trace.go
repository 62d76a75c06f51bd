package middleware

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"svc/store/observe"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
)

// Trace records a span for each request: its operation, route, status, cost and a hash of the user's id, which only this
// instance can compute. Paths, queries and addresses are not recorded, because they may hold secrets and names.
func Trace(tracer *observe.Tracer, key string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			req := info(c)
			tracer.Begin(&req.Work, req.Method, observe.Server, observe.ParseParent(req.Header.Get(observe.Header)))
			span := req.Work.Span()
			if span == nil {
				return next(c)
			}
			defer func() { // also if the connection is aborted by a panic
				finishRequest(c, span, key)
			}()
			return next(c)
		}
	}
}

func finishRequest(c echo.Context, span *observe.Span, key string) {
	req, status := info(c), c.Response().Status
	if req.Operation != "" {
		span.Name = req.Operation
	}
	span.SetText("svc.operation", req.Operation)
	span.SetText("http.request.method", req.Method)
	span.SetText("http.route", c.Path())
	span.SetNumber("http.response.status_code", int64(status))
	span.SetText("svc.request_id", req.ID)
	if req.Actor != nil {
		span.SetText("svc.user", hashedUser(key, req.Actor.User.ID))
	}
	span.SetCost(req.Work.Cost())
	if status >= http.StatusInternalServerError {
		span.Fail("")
	}
	span.Finish()
}

// hashedUser returns a name for a user that is always the same on this instance and that nobody else can map to the user.
func hashedUser(key string, id int64) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("users in traces\x00" + strconv.FormatInt(id, 10)))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// Slow writes one line for each request that takes longer than a limit, with what it cost, and counts these requests. The
// time for which a caller wanted to wait does not count. The line is a warning, so that it is seen when requests are not
// logged.
func Slow(logger *slog.Logger, registry prometheus.Registerer, limit time.Duration) echo.MiddlewareFunc {
	slow := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "svc_http_slow_requests_total", Help: "Requests that took longer than the setting slow-request.",
	})
	registry.MustRegister(slow)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := next(c); err != nil {
				c.Error(err)
			}
			req := info(c)
			took, cost, operation := time.Since(req.Start), req.Work.Cost(), req.Operation
			if limit <= 0 || took-cost.IdleTime < limit {
				return nil
			}
			slow.Inc()
			if operation == "" {
				operation = "other"
			}
			logger.LogAttrs(c.Request().Context(), slog.LevelWarn, "slow request",
				slog.String("operation", operation), slog.String("method", req.Method), slog.Int("status", c.Response().Status),
				slog.Duration("took", took), slog.Int64("statements", cost.Statements),
				slog.Duration("statement_time", cost.StatementTime), slog.Int64("git_processes", cost.GitProcesses),
				slog.Duration("git_time", cost.GitTime), slog.Duration("wait_time", cost.WaitTime),
				slog.String("request_id", req.ID))
			return nil
		}
	}
}
