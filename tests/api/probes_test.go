package api

import (
	"net/netip"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/tests/harness"
)

func TestProbesReportDatabaseQueueAndStorage(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MetricsAllow = nil }) // nobody gets the reasons
	anyone := h.Anonymous()
	expect(t, anyone.Send("GET", "/-/health", ""), 200, "svc OK")
	expect(t, anyone.Send("GET", "/-/liveness", ""), 200, `{"status":"ok"}`)
	expect(t, anyone.Send("GET", "/-/readiness", ""), 503, `{"status":"failed","database":"ok","queue":"failed","storage":"ok"}`)
	h.StartWorker()
	expect(t, anyone.Send("GET", "/-/readiness", ""), 200, `{"status":"ok","database":"ok","queue":"ok","storage":"ok"}`)
	if err := h.Store.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, anyone.Send("GET", "/-/readiness", ""), 503, `{"status":"failed","database":"failed","queue":"ok","storage":"ok"}`)
	expect(t, anyone.Send("GET", "/-/liveness", ""), 200, `{"status":"ok"}`)
}

func TestAnInternalErrorShowsOnlyTheRequestID(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	if err := h.Store.Close(); err != nil {
		t.Fatal(err)
	}
	got := u.Send("GET", "/user", "", "X-Request-Id", "my-request.1")
	expect(t, got, 500, `{"message":"500 Internal Server Error","request_id":"my-request.1"}`)
	if log := h.Logs.String(); !strings.Contains(log, "level=ERROR") ||
		!strings.Contains(log, "request_id=my-request.1") || !strings.Contains(log, "database is closed") {
		t.Errorf("the log does not tell the cause:\n%s", log)
	}
}

func TestMetricsAreShownToAllowedAddressesOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	expect(t, u.Send("GET", "/user", ""), 200, "")
	expect(t, u.Send("GET", "/nothing", ""), 404, "")
	page := h.Anonymous().Send("GET", "/-/metrics", "")
	expect(t, page, 200, "")
	for _, want := range []string{
		`svc_http_requests_total{operation="getCurrentUser",status="200"} 1`, `svc_http_requests_total{operation="other",status="404"} 1`,
		`svc_http_request_duration_seconds_bucket{operation="getCurrentUser",le="0.0005"}`, "svc_build_info{",
		"go_sql_open_connections{", `svc_jobs_queued{state="available"}`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	expect(t, h.Anonymous().Send("GET", "/-/metrics", "", "X-Forwarded-For", "203.0.113.9"), 404, `{"error":"404 Not Found"}`)
	closed := harness.New(t, func(c *config.Config) { c.MetricsAllow = nil })
	expect(t, closed.Anonymous().Send("GET", "/-/metrics", ""), 404, `{"error":"404 Not Found"}`)
}

func TestReadinessExplainsItselfToThoseWhoMayReadMetrics(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) {
		c.MetricsAllow = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}
	})
	anyone := h.Anonymous()
	expect(t, anyone.Send("GET", "/-/readiness", ""), 503,
		`{"status":"failed","database":"ok","queue":"failed","storage":"ok","reasons":{"queue":"the job queue is not running"}}`)
	expect(t, anyone.Send("GET", "/-/readiness", "", "X-Forwarded-For", "127.0.0.1"), 503,
		`{"status":"failed","database":"ok","queue":"failed","storage":"ok"}`)
}
