package engine

import (
	"cmp"
	"context"
	"slices"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// Begin keeps a new pipeline with its jobs and lets those set out that wait for nothing. The pipeline comes back as it is
// then. In a transaction of the caller's, runners see the jobs when that is done.
func (e *Engine) Begin(ctx context.Context, n *store.NewPipeline) error {
	return e.store.Tx(ctx, func(ctx context.Context) error {
		w := &work{Engine: e, at: now(), moves: map[int64]store.JobMove{}, resource: map[string]bool{}}
		if n.Pipeline.Status == "" {
			n.Pipeline.Status = string(status.Created)
		}
		slices.SortStableFunc(n.Jobs, func(a, b model.Job) int { return cmp.Compare(a.StageIndex, b.StageIndex) })
		if err := e.store.Pipelines.Create(ctx, n); err != nil {
			return err
		}
		w.pipeline, w.jobs = n.Pipeline, n.Jobs
		if err := w.plan(ctx, n.Specs); err != nil {
			return err
		}
		if err := w.settle(ctx); err != nil {
			return err
		}
		n.Pipeline = w.pipeline
		return nil
	})
}
