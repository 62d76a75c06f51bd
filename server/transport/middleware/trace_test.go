package middleware

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/platform/reqctx"
	"svc/store/observe"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
)

// spans collects spans.
type spans struct {
	mu   sync.Mutex
	list []observe.Span
}

// Add adds a span.
func (s *spans) Add(one observe.Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, one)
}

func TestARequestIsASpanWithoutPrivateData(t *testing.T) {
	t.Parallel()
	got := &spans{}
	e := echo.New()
	e.HTTPErrorHandler = WriteError(quietLogger(), operations(t), nil)
	e.Use(Begin("", nil), Trace(observe.NewTracer(got, 1), "key"))
	e.GET("/things/:id", func(c echo.Context) error {
		info(c).Actor = &reqctx.Actor{}
		info(c).Actor.User.ID = 42
		observe.Of(c.Request().Context()).Statement(time.Millisecond)
		return c.NoContent(http.StatusBadGateway)
	})
	req := httptest.NewRequest("GET", "/things/private?token=private", nil)
	req.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	e.ServeHTTP(httptest.NewRecorder(), req)
	if len(got.list) != 1 {
		t.Fatalf("%d spans", len(got.list))
	}
	span, facts := got.list[0], map[string]observe.Attribute{}
	for _, a := range span.Attributes {
		facts[a.Key] = a
		if strings.Contains(a.Text, "private") || a.Text == "42" {
			t.Errorf("%s has private data: %s", a.Key, a.Text)
		}
	}
	if span.Name != "GET" || !span.Failed || span.Parent != [8]byte{0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7} ||
		facts["http.route"].Text != "/things/:id" || facts["http.response.status_code"].Number != 502 ||
		facts["svc.statements"].Number != 1 || len(facts["svc.user"].Text) != 16 {
		t.Errorf("%+v", span)
	}
	if hashedUser("key", 42) != facts["svc.user"].Text || hashedUser("other", 42) == facts["svc.user"].Text {
		t.Error("the hash does not depend on the key")
	}
}

func TestASlowRequestIsOneLineAndWaitingOnPurposeIsNotSlow(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e := echo.New()
	e.HTTPErrorHandler = WriteError(quietLogger(), operations(t), nil)
	registry := prometheus.NewRegistry()
	e.Use(Begin("", nil), Slow(slog.New(slog.NewTextHandler(&log, nil)), registry, time.Minute))
	handle := func(path string, idle time.Duration) {
		e.GET(path, func(c echo.Context) error {
			info(c).Start = time.Now().Add(-2 * time.Minute) // it has taken two minutes
			work := observe.Of(c.Request().Context())
			work.Idle(idle)
			work.Statement(3 * time.Second)
			work.Git(4 * time.Second)
			work.Wait(5 * time.Second)
			return c.NoContent(http.StatusNoContent)
		})
	}
	handle("/slow", 0)
	handle("/idle", 90*time.Second)
	for _, path := range []string{"/slow", "/idle"} {
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	if text := log.String(); strings.Count(text, "slow request") != 1 ||
		!strings.Contains(text, "statements=1 statement_time=3s git_processes=1 git_time=4s wait_time=5s request_id=") {
		t.Errorf("logged:\n%s", text)
	}
}

// Without traces and slow requests, what measures a request allocates nothing.
func TestMeasuringARequestAllocatesNothing(t *testing.T) {
	plain := allocations(t)
	measured := allocations(t, Slow(quietLogger(), prometheus.NewRegistry(), 0))
	if measured > plain {
		t.Errorf("%v allocations, %v without measuring", measured, plain)
	}
}

func allocations(t *testing.T, steps ...echo.MiddlewareFunc) float64 {
	t.Helper()
	e := echo.New()
	handler := Wrap(func(c echo.Context) error {
		observe.Of(c.Request().Context()).Statement(time.Millisecond)
		return nil
	}, append([]echo.MiddlewareFunc{Begin("", nil)}, steps...)...)
	return testing.AllocsPerRun(200, func() {
		c := e.NewContext(httptest.NewRequest("GET", "/", nil), httptest.NewRecorder())
		_ = handler(c)
	})
}
