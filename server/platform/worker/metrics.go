package worker

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
)

// Measure adds metrics: the number of jobs run, their times and waits by kind, and the number of queued jobs by state.
func (w *Worker) Measure(registry prometheus.Registerer) {
	worked := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "svc_jobs_worked_total", Help: "Background jobs run by this process.",
	}, []string{"kind", "outcome"})
	registry.MustRegister(worked, depth{w}, times{w.jobs})
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

// times shows how long jobs waited and ran.
type times struct{ jobs *Jobs }

var (
	waitDesc = prometheus.NewDesc(
		"svc_job_wait_seconds", "Time from the moment at which a background job was due to its start, in this process.",
		[]string{"kind"}, nil)
	runDesc = prometheus.NewDesc("svc_job_duration_seconds", "Time for which background jobs ran in this process.", []string{"kind"}, nil)
)

// Describe names the metrics.
func (t times) Describe(ch chan<- *prometheus.Desc) { ch <- waitDesc; ch <- runDesc }

// Collect reads the times of the kinds that have run.
func (t times) Collect(ch chan<- prometheus.Metric) {
	for kind, m := range t.jobs.measured {
		if count, sum, upTo := m.waits.Read(); count > 0 {
			ch <- prometheus.MustNewConstHistogram(waitDesc, count, sum, upTo, kind)
		}
		if count, sum, upTo := m.runs.Read(); count > 0 {
			ch <- prometheus.MustNewConstHistogram(runDesc, count, sum, upTo, kind)
		}
	}
}
