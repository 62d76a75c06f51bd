package middleware

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"svc/gen"
	"svc/server/platform/apierr"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
)

func TestOperationsAreWorkedOutFromTheDocument(t *testing.T) {
	t.Parallel()
	ops := operations(t)
	type facts struct {
		ID        string
		Anonymous bool
		Accepted  []string
		JobToken  bool
		Limit     string
		MaxBody   int64
	}
	for key, want := range map[routeKey]facts{
		{"GET", "/api/v4/version"}: {
			ID: "getVersion", Accepted: []string{"api", "read_api", "read_user"}, MaxBody: DefaultMaxBody,
		},
		{"HEAD", "/api/v4/version"}: {
			ID: "getVersion", Accepted: []string{"api", "read_api", "read_user"}, MaxBody: DefaultMaxBody,
		},
		{"GET", "/api/v4/open"}: {
			ID: "getOpen", Anonymous: true, Accepted: []string{"api", "read_api"}, MaxBody: DefaultMaxBody,
		},
		{"GET", "/api/v4/job"}:                {ID: "getJob", JobToken: true, MaxBody: DefaultMaxBody},
		{"PUT", "/api/v4/things/:id"}:         {ID: "updateThing", Accepted: []string{"api"}, MaxBody: 100},
		{"GET", "/api/v4/things/:id/archive"}: {ID: "getArchive", Anonymous: true, Limit: "archive", MaxBody: DefaultMaxBody},
		{"GET", "/-/health"}:                  {ID: "getHealth", Anonymous: true, MaxBody: DefaultMaxBody},
	} {
		if ops.byRoute[key] == nil {
			t.Errorf("there is no %v", key)
			continue
		}
		op := ops.byRoute[key].operation()
		if diff := cmp.Diff(want, facts{op.ID, op.Anonymous, op.Accepted, op.JobToken, op.Limit.Name, op.MaxBody}); diff != "" {
			t.Errorf("%v:\n%s", key, diff)
		}
	}
	if ops.byRoute[routeKey{"HEAD", "/api/v4/things/:id"}] != ops.byRoute[routeKey{"GET", "/api/v4/things/:id"}] {
		t.Error("HEAD is another operation than GET")
	}
	if got := ops.Base("/version") + " " + ops.Base("/-/health"); got != "/api/v4 " {
		t.Errorf("bases are %q", got)
	}
	ids := slices.Compact(slices.Sorted(slices.Values(ops.IDs())))
	if len(ids) != 8 {
		t.Errorf("operations are %v", ids)
	}
}

func TestADocumentWithMistakesIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, to, want string }{
		"not JSON":         {`{`, `[`, "load the OpenAPI document"},
		"an unknown limit": {`"x-limit": "archive"`, `"x-limit": "nonsense"`, `"nonsense" is not one of the named limits`},
		"no security":      {`"security": [{"jobToken": []}],`, ``, "GET /job: security is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := strings.Replace(spec, c.from, c.to, 1)
			if bad == spec {
				t.Fatal("nothing was replaced")
			}
			ops, err := LoadOperations([]byte(bad))
			if err == nil {
				err = ops.Check()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

// Operations are parsed when they are first needed. A mistake in the document must be found before that.
func TestTheDocumentHasNoMistake(t *testing.T) {
	t.Parallel()
	ops, err := LoadOperations(gen.Requests)
	if err == nil {
		err = ops.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRequestsAreCountedByOperationAndStatus(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	e := server(t, Metrics(registry, operations(t)))
	e.GET("/fail/:text", func(echo.Context) error { return apierr.NotFound("Job") })
	for _, path := range []string{"/api/v4/open", "/api/v4/open?a=b", "/fail/one", "/fail/two", "/nowhere"} {
		ask(e, "GET", path, "")
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts, times := map[string]float64{}, map[string]uint64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			switch family.GetName() {
			case "svc_http_requests_total":
				counts[strings.Join(labels, " ")] = m.GetCounter().GetValue()
			case "svc_http_request_duration_seconds":
				if n := m.GetHistogram().GetSampleCount(); n > 0 {
					times[strings.Join(labels, " ")] = n
				}
			}
		}
	}
	if diff := cmp.Diff(map[string]float64{"getOpen 200": 2, "other 404": 3}, counts); diff != "" {
		t.Errorf("requests:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]uint64{"getOpen": 2, "other": 3}, times); diff != "" {
		t.Errorf("times:\n%s", diff)
	}
}

func TestMetricsAreShownToTheAllowedNetworksOnly(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: "svc_here", Help: "here"}))
	e := echo.New()
	e.HTTPErrorHandler = WriteError(quietLogger(), operations(t), nil)
	e.Use(Begin("", func() []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} }))
	e.GET("/-/metrics", MetricsPage(registry, func() []netip.Prefix {
		return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.1.0.0/16")}
	}))
	cases := []struct {
		name, remote, forwarded string
		shown                   bool
	}{
		{"allowed", "127.0.0.1:1", "", true},
		{"not allowed", "203.0.113.9:1", "", false},
		{"passed on by our proxy for one allowed", "10.0.0.1:1", "10.1.2.3", true},
		{"passed on by our proxy for another", "10.0.0.1:1", "203.0.113.9", false},
		{"claimed by a stranger", "203.0.113.9:1", "127.0.0.1", false},
		{"passed on by a local proxy that nobody trusts", "127.0.0.1:1", "203.0.113.9", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/-/metrics", nil)
			r.RemoteAddr = c.remote
			if c.forwarded != "" {
				r.Header.Set("X-Forwarded-For", c.forwarded)
			}
			rec := serve(e, r)
			if shown := rec.Code == 200 && strings.Contains(rec.Body.String(), "svc_here"); shown != c.shown {
				t.Errorf("answer is %d %s", rec.Code, rec.Body.String())
			}
			if !c.shown {
				wantAnswer(t, rec, 404, `{"error":"404 Not Found"}`)
			}
		})
	}
}
