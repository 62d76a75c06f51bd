package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectPipelineVariables lists the variables that a pipeline was started with.
// GET /projects/{id}/pipelines/{pipeline_id}/variables
func (p *Pipelines) ListProjectPipelineVariables(
	ctx context.Context, req gen.ListProjectPipelineVariablesRequestObject,
) (gen.ListProjectPipelineVariablesResponseObject, error) {
	row, found, err := p.find(ctx, req.ID, req.PipelineID, access.ReadPipelineVariable)
	if err != nil {
		return nil, err
	}
	own := found.UserID != nil && *found.UserID == reqctx.Of(ctx).Actor.User.ID
	if !own && row.Role() < model.Maintainer {
		return nil, apierr.Forbidden()
	}
	rows, err := p.store.Pipelines.Variables(ctx, found.ID)
	return gen.ListProjectPipelineVariables200JSONResponse(present.All(rows, present.PipelineVariable)), err
}
