package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// CancelProjectPipeline cancels a pipeline.
// POST /projects/{id}/pipelines/{pipeline_id}/cancel
func (p *Pipelines) CancelProjectPipeline(
	ctx context.Context, req gen.CancelProjectPipelineRequestObject,
) (gen.CancelProjectPipelineResponseObject, error) {
	row, found, err := p.findForChange(ctx, req.ID, req.PipelineID)
	if err != nil {
		return nil, err
	}
	if err := p.engine.CancelAll(ctx, found.ID); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project, found.ID)
	return gen.CancelProjectPipeline200JSONResponse(shown), err
}

// RetryProjectPipeline retries the failed jobs of a pipeline.
// POST /projects/{id}/pipelines/{pipeline_id}/retry
func (p *Pipelines) RetryProjectPipeline(
	ctx context.Context, req gen.RetryProjectPipelineRequestObject,
) (gen.RetryProjectPipelineResponseObject, error) {
	row, found, err := p.findForChange(ctx, req.ID, req.PipelineID)
	if err != nil {
		return nil, err
	}
	if err := p.engine.RetryAll(ctx, found.ID, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project, found.ID)
	return gen.RetryProjectPipeline201JSONResponse(shown), err
}
