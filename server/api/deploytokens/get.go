package deploytokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// GetProjectDeployToken returns a deploy token of a project.
// GET /projects/{id}/deploy_tokens/{token_id}
func (d *DeployTokens) GetProjectDeployToken(
	ctx context.Context, req gen.GetProjectDeployTokenRequestObject,
) (gen.GetProjectDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	row, err := d.tokens.Find(ctx, src.Source, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectDeployToken200JSONResponse(present.DeployToken(row, clock.Now(ctx))), nil
}

// GetGroupDeployToken returns a deploy token of a group.
// GET /groups/{id}/deploy_tokens/{token_id}
func (d *DeployTokens) GetGroupDeployToken(
	ctx context.Context, req gen.GetGroupDeployTokenRequestObject,
) (gen.GetGroupDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	row, err := d.tokens.Find(ctx, src.Source, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupDeployToken200JSONResponse(present.DeployToken(row, clock.Now(ctx))), nil
}
