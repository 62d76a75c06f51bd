package worker

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
)

// Measure adds metrics: the number of jobs run, and the number of queued jobs by state.
func (w *Worker) Measure(registry prometheus.Registerer) {
	worked := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "svc_jobs_worked_total", Help: "Background jobs run by this process.",
	}, []string{"kind", "outcome"})
	registry.MustRegister(worked, depth{w})
	events, _ := w.client.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled)
	go func() {
		for e := range events { // closed when the queue stops
			worked.WithLabelValues(e.Job.Kind, string(e.Kind)).Inc()
		}
	}()
}

// depth asks the database at every scrape, so that the numbers cover all processes.
type depth struct{ w *Worker }

var depthDesc = prometheus.NewDesc("svc_jobs_queued", "Background jobs in the queue of all processes.", []string{"state"}, nil)

// Describe names the metric.
func (d depth) Describe(ch chan<- *prometheus.Desc) { ch <- depthDesc }

// Collect counts the jobs that are not done.
func (d depth) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := d.w.store.QueueDepth(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(depthDesc, err)
		return
	}
	for state, n := range counts {
		ch <- prometheus.MustNewConstMetric(depthDesc, prometheus.GaugeValue, float64(n), state)
	}
}
