package engine

import (
	"cmp"
	"context"
	"slices"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// Begin stores a new pipeline with its jobs and starts the jobs that wait for nothing. It updates n.Pipeline to the
// resulting state. If the caller has a transaction open, runners see the jobs after its commit.
func (e *Engine) Begin(ctx context.Context, n *store.NewPipeline) error {
	return e.store.Tx(ctx, func(ctx context.Context) error {
		w := &pipelineTx{Engine: e, at: now(ctx), moves: map[int64]store.JobMove{}, resource: map[string]bool{}}
		if n.Pipeline.Status == "" {
			n.Pipeline.Status = string(status.Created)
		}
		slices.SortStableFunc(n.Jobs, func(a, b model.Job) int { return cmp.Compare(a.StageIndex, b.StageIndex) })
		if err := e.store.Pipelines.Create(ctx, n); err != nil {
			return err
		}
		w.pipeline, w.jobs = n.Pipeline, n.Jobs
		if err := w.planDeployments(ctx, n.Specs); err != nil {
			return err
		}
		if err := w.announceCreated(ctx); err != nil {
			return err
		}
		if err := w.writeChanges(ctx); err != nil {
			return err
		}
		n.Pipeline = w.pipeline
		return nil
	})
}
