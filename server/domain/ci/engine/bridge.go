package engine

import (
	"context"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// Bridge is a bridge that sets out: the pipeline that it starts is to be made.
type Bridge struct {
	JobID int64 `json:"job_id"`
}

// Kind names the job in the queue.
func (Bridge) Kind() string { return "ci_bridge" }

// Upstream is a pipeline whose end a bridge may wait for.
type Upstream struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind names the job in the queue.
func (Upstream) Kind() string { return "ci_upstream" }

// Crossed notes that a bridge has started a pipeline. Without depend it is done; with depend it runs until that one is.
func (e *Engine) Crossed(ctx context.Context, bridge model.Job, downstreamID int64, depend bool) error {
	return e.with(ctx, bridge.PipelineID, func(ctx context.Context, w *work) error {
		j := w.job(bridge.ID)
		if j == nil || j.Status != string(status.Pending) {
			return ErrNotNow
		}
		if err := e.store.Jobs.Downstream(ctx, j.ID, downstreamID, w.at); err != nil {
			return err
		}
		j.StartedAt = &w.at
		if depend {
			w.move(j, status.Run)
			return w.soon(ctx, Upstream{PipelineID: downstreamID}) // it may be done already
		}
		w.move(j, status.Succeed)
		return nil
	})
}

// Upstream tells a bridge that waits for it what became of a pipeline.
func (e *Engine) Upstream(ctx context.Context, u Upstream) error {
	downstream, err := e.store.Pipelines.Find(ctx, u.PipelineID)
	if err != nil || downstream.UpstreamJobID == nil {
		return gone(err)
	}
	bridge, err := e.store.Jobs.Find(ctx, *downstream.UpstreamJobID)
	if err != nil {
		return gone(err)
	}
	spec, err := e.Spec(ctx, &bridge)
	if err != nil || spec.Trigger == nil || spec.Trigger.Strategy == "" {
		return gone(err)
	}
	return gone(e.with(ctx, bridge.PipelineID, func(_ context.Context, w *work) error {
		if j := w.job(bridge.ID); j != nil {
			w.mirror(j, status.Status(downstream.Status))
		}
		return nil
	}))
}

// mirror gives a bridge the state of the pipeline that it started. One that is done sets out again when that pipeline went on,
// because somebody tried a job of it again: also when we hear of it only after its end.
func (w *work) mirror(j *model.Job, downstream status.Status) {
	if downstream == status.Skipped {
		downstream = status.Failed
	}
	again := status.Status(j.Status).IsComplete() && status.Status(j.Status) != downstream
	if again {
		j.Status, j.FinishedAt, j.FailureReason = string(status.Running), nil, nil
		w.moves[j.ID] = store.JobMove{Status: j.Status}
		w.reopen(j)
	}
	switch downstream {
	case status.Success:
		w.move(j, status.Succeed)
	case status.Failed:
		w.fail(j, status.UnknownFailure)
	case status.Canceled:
		w.move(j, status.Cancel)
	}
	if again {
		m := w.moves[j.ID]
		m.Reset, m.QueuedAt, m.StartedAt = true, w.at, w.at
		w.moves[j.ID] = m
	}
}
