package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectPipeline deletes a pipeline.
// DELETE /projects/{id}/pipelines/{pipeline_id}
func (p *Pipelines) DeleteProjectPipeline(
	ctx context.Context, req gen.DeleteProjectPipelineRequestObject,
) (gen.DeleteProjectPipelineResponseObject, error) {
	_, found, err := p.find(ctx, req.ID, req.PipelineID, access.DestroyPipeline)
	if err != nil {
		return nil, err
	}
	if err := p.launch.Delete(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectPipeline204Response{}, nil
}
