package engine

import (
	"context"

	"svc/server/domain/ci/status"
)

// Supersede is the background job that cancels older pipelines after a new one was created for the same branch.
type Supersede struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind returns the name of the background job.
func (Supersede) Kind() string { return "ci_supersede" }

// Supersede cancels jobs of the older pipelines of the branch. The auto_cancel:on_new_commit setting of each older
// pipeline decides which.
func (e *Engine) Supersede(ctx context.Context, s Supersede) error {
	older, err := e.store.Pipelines.Older(ctx, s.PipelineID, batchSize)
	if err != nil {
		return ignoreStale(err)
	}
	for _, id := range older {
		err := e.update(ctx, id, func(_ context.Context, w *pipelineTx) error {
			for i, canceled := range status.Superseded(w.pipeline.OnNewCommit, w.interruptible()) {
				if canceled {
					w.move(&w.jobs[i], status.Cancel)
				}
			}
			return nil
		})
		if ignoreStale(err) != nil {
			return err
		}
	}
	return nil
}
