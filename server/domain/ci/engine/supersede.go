package engine

import (
	"context"

	"svc/server/domain/ci/status"
)

// Supersede is a new pipeline of a branch that may end older ones.
type Supersede struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind names the job in the queue.
func (Supersede) Kind() string { return "ci_supersede" }

// Supersede cancels what a new pipeline makes needless: the older ones of its branch, as each of them says itself.
func (e *Engine) Supersede(ctx context.Context, s Supersede) error {
	older, err := e.store.Pipelines.Older(ctx, s.PipelineID, someJobs)
	if err != nil {
		return gone(err)
	}
	for _, id := range older {
		err := e.with(ctx, id, func(_ context.Context, w *work) error {
			for i, canceled := range status.Superseded(w.pipeline.OnNewCommit, w.interruptible()) {
				if canceled {
					w.move(&w.jobs[i], status.Cancel)
				}
			}
			return nil
		})
		if gone(err) != nil {
			return err
		}
	}
	return nil
}
