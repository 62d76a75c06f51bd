package engine

import (
	"context"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// Bridge is the background job that creates the downstream pipeline of a trigger job (a "bridge").
type Bridge struct {
	JobID int64 `json:"job_id"`
}

// Kind returns the name of the background job.
func (Bridge) Kind() string { return "ci_bridge" }

// UpdateBridge is the background job that passes the status of a downstream pipeline to its bridge.
type UpdateBridge struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind returns the name of the background job.
func (UpdateBridge) Kind() string { return "ci_upstream" }

// BridgeStarted records that a bridge has started a pipeline. With depend, the bridge runs until that pipeline ends.
// Otherwise the bridge succeeds at once.
func (e *Engine) BridgeStarted(ctx context.Context, bridge model.Job, downstreamID int64, depend bool) error {
	return e.update(ctx, bridge.PipelineID, func(ctx context.Context, w *pipelineTx) error {
		j := w.job(bridge.ID)
		if j == nil || j.Status != string(status.Pending) {
			return ErrWrongStatus
		}
		if err := e.store.Jobs.SetDownstream(ctx, j.ID, downstreamID, w.at); err != nil {
			return err
		}
		j.StartedAt = &w.at
		if depend {
			w.move(j, status.Run)
			return w.enqueue(ctx, UpdateBridge{PipelineID: downstreamID}) // the downstream pipeline may have ended already
		}
		w.move(j, status.Succeed)
		return nil
	})
}

// UpdateBridge gives a bridge that waits for a downstream pipeline the status of that pipeline.
func (e *Engine) UpdateBridge(ctx context.Context, u UpdateBridge) error {
	downstream, err := e.store.Pipelines.Find(ctx, u.PipelineID)
	if err != nil || downstream.UpstreamJobID == nil {
		return ignoreStale(err)
	}
	bridge, err := e.store.Jobs.Find(ctx, *downstream.UpstreamJobID)
	if err != nil {
		return ignoreStale(err)
	}
	spec, err := e.Spec(ctx, &bridge)
	if err != nil || spec.Trigger == nil || spec.Trigger.Strategy == "" {
		return ignoreStale(err)
	}
	return ignoreStale(e.update(ctx, bridge.PipelineID, func(_ context.Context, w *pipelineTx) error {
		if j := w.job(bridge.ID); j != nil {
			w.mirror(j, status.Status(downstream.Status))
		}
		return nil
	}))
}

// mirror gives a bridge the status of its downstream pipeline. A finished bridge reopens if a job of that pipeline was
// retried, even if the pipeline has ended again by now.
func (w *pipelineTx) mirror(j *model.Job, downstream status.Status) {
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
