package worker

import (
	"context"
	"encoding/json"
	"time"

	"svc/store/observe"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// measured holds the times of the jobs of one kind.
type measured struct {
	waits observe.Times // from the time at which a job was due to its start
	runs  observe.Times
}

// metadata is what the queue stores with a job.
type metadata struct {
	Parent string `json:"traceparent,omitempty"` // the span that queued the job
}

// measure runs a job, and counts and traces it.
func (j *Jobs) measure(ctx context.Context, job *rivertype.JobRow, run func(ctx context.Context) error) error {
	began, times := time.Now(), j.measured[job.Kind]
	waited := max(began.Sub(job.ScheduledAt), 0)
	times.waits.Observe(waited)
	work := &observe.Work{}
	j.trace(work, job)
	ended := false
	defer func() { // also if the job panics
		times.runs.Observe(time.Since(began))
		span := work.Span()
		if span == nil {
			return
		}
		span.SetText("svc.job.kind", job.Kind)
		span.SetNumber("svc.job.id", job.ID)
		span.SetNumber("svc.job.attempt", int64(job.Attempt))
		span.SetNumber("svc.job.wait_us", waited.Microseconds())
		span.SetCost(work.Cost())
		if !ended {
			span.Fail("the job failed")
		}
		span.Finish()
	}()
	err := run(observe.With(ctx, work))
	ended = err == nil
	return err
}

// trace begins the span of a job. A job that a traced request queued belongs to the trace of the request.
func (j *Jobs) trace(work *observe.Work, job *rivertype.JobRow) {
	if j.Tracer == nil {
		return
	}
	var stored metadata
	_ = json.Unmarshal(job.Metadata, &stored) // without a parent the job begins a trace
	j.Tracer.Begin(work, "job "+job.Kind, observe.Consumer, observe.ParseParent(stored.Parent))
}

// follow stores the span of the context with a job that is queued.
func follow(ctx context.Context, options *river.InsertOpts) {
	span := observe.Of(ctx).Span()
	if span == nil {
		return
	}
	if data, err := json.Marshal(metadata{span.AsParent().String()}); err == nil {
		options.Metadata = data
	}
}
