package middleware

import (
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics counts requests and measures their time by operation. Every other request counts as "other": a path comes
// from the client, so metrics by path would grow without bound.
func Metrics(registry prometheus.Registerer, ops *Operations) echo.MiddlewareFunc {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "svc_http_requests_total", Help: "Requests answered.",
	}, []string{"operation", "status"})
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "svc_http_request_duration_seconds", Help: "Time from the request's arrival to its answer.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"operation"})
	running := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "svc_http_requests_running", Help: "Requests that are being answered.",
	})
	costs := newCosts()
	registry.MustRegister(requests, latency, running, costs)
	times := map[string]prometheus.Observer{"other": latency.WithLabelValues("other")}
	for _, id := range ops.IDs() {
		times[id] = latency.WithLabelValues(id)
	}
	counters := counters{vec: requests, known: map[counterKey]prometheus.Counter{}}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			req, id := info(c), "other"
			if op := ops.Of(c); op != nil {
				id = op.ID
				req.Operation = id
			}
			status := http.StatusInternalServerError // the status of a panic
			running.Inc()
			defer func() {
				running.Dec()
				times[id].Observe(time.Since(req.Start).Seconds())
				counters.of(id, status).Inc()
				costs.add(id, req.Work.Cost())
			}()
			if err := next(c); err != nil {
				c.Error(err) // respond now, so that the status is the final one
			}
			status = c.Response().Status
			return nil
		}
	}
}

// counters caches the counters: finding one by its labels costs more than incrementing it.
type counters struct {
	vec   *prometheus.CounterVec
	mu    sync.RWMutex
	known map[counterKey]prometheus.Counter
}

type counterKey struct {
	operation string
	status    int
}

func (c *counters) of(operation string, status int) prometheus.Counter {
	key := counterKey{operation, status}
	c.mu.RLock()
	counter := c.known[key]
	c.mu.RUnlock()
	if counter != nil {
		return counter
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	counter = c.vec.WithLabelValues(operation, strconv.Itoa(status))
	c.known[key] = counter
	return counter
}

// MetricsPage shows the metrics to callers from the allowed networks; others get a 404. If a proxy forwarded the
// request, the forwarded address counts.
func MetricsPage(registry *prometheus.Registry, allow func() []netip.Prefix) echo.HandlerFunc {
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return func(c echo.Context) error {
		if !info(c).FromNetwork(allow()) {
			return apierr.NoRoute()
		}
		page.ServeHTTP(c.Response(), c.Request())
		return nil
	}
}
