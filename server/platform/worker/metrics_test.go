package worker

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"svc/store/storetest"
	"svc/tests/wait"

	"github.com/prometheus/client_golang/prometheus"
)

func TestMetricsShowWhatWaitsAndWhatWasWorked(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	jobs := NewJobs()
	Handle(jobs, func(context.Context, note) error { return nil })
	w, registry := newWorker(t, st, jobs), prometheus.NewRegistry()
	w.Measure(registry)
	if err := w.Enqueue(t.Context(), note{"x"}); err != nil {
		t.Fatal(err)
	}
	if got := value(t, registry, "svc_jobs_queued", "available"); got != 1 {
		t.Errorf("%v jobs wait, want 1", got)
	}
	for _, state := range []string{"running", "retryable", "scheduled"} {
		if got := value(t, registry, "svc_jobs_queued", state); got != 0 {
			t.Errorf("%v jobs are %s, want 0", got, state)
		}
	}
	start(t, w)
	wait.Until(t, "it is counted", func() bool { return value(t, registry, "svc_jobs_worked_total", "note job_completed") == 1 })
	if got := value(t, registry, "svc_jobs_queued", "available"); got != 0 {
		t.Errorf("%v jobs wait, want 0", got)
	}
}

// value returns the metric with the given labels; -1 if there is none.
func value(t testing.TB, registry *prometheus.Registry, name, labels string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			var values []string
			for _, l := range m.GetLabel() {
				values = append(values, l.GetValue())
			}
			if family.GetName() == name && strings.Join(values, " ") == labels {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return -1
}

func TestTheQueueLogsWarningsOnly(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	logger := slog.New(warningHandler{slog.NewTextHandler(&buf, &slog.HandlerOptions{Level: slog.LevelDebug})}).With("a", 1).WithGroup("g")
	logger.Debug("debug")
	logger.Info("info")
	logger.Warn("warn")
	logger.Error("error")
	logger.Error("broken off", "error", fmt.Errorf("begin: %w", context.Canceled))
	logger.Error("broken off", "err", context.Canceled.Error())
	if got := buf.String(); strings.Contains(got, "debug") || strings.Contains(got, "msg=info") ||
		strings.Contains(got, "broken off") || !strings.Contains(got, "msg=warn a=1") ||
		!strings.Contains(got, "msg=error") {
		t.Errorf("logged:\n%s", got)
	}
}
