package deploytokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// ListProjectDeployTokens lists the deploy tokens of a project.
// GET /projects/{id}/deploy_tokens
func (d *DeployTokens) ListProjectDeployTokens(
	ctx context.Context, req gen.ListProjectDeployTokensRequestObject,
) (gen.ListProjectDeployTokensResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, &src.Source, gen.ListDeployTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectDeployTokens200JSONResponse{Body: rows, Headers: gen.ListProjectDeployTokens200ResponseHeaders(headers)}, nil
}

// CreateProjectDeployToken creates a deploy token in a project.
// POST /projects/{id}/deploy_tokens
func (d *DeployTokens) CreateProjectDeployToken(
	ctx context.Context, req gen.CreateProjectDeployTokenRequestObject,
) (gen.CreateProjectDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.AdminProjectToken)
	if err != nil {
		return nil, err
	}
	shown, err := d.create(ctx, src, *req.Body)
	return gen.CreateProjectDeployToken201JSONResponse(shown), err
}

// GetProjectDeployToken returns a deploy token of a project.
// GET /projects/{id}/deploy_tokens/{token_id}
func (d *DeployTokens) GetProjectDeployToken(
	ctx context.Context, req gen.GetProjectDeployTokenRequestObject,
) (gen.GetProjectDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	row, err := d.get(ctx, src.Source, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectDeployToken200JSONResponse(present.DeployToken(row, time.Now())), nil
}

// DeleteProjectDeployToken revokes a deploy token of a project.
// DELETE /projects/{id}/deploy_tokens/{token_id}
func (d *DeployTokens) DeleteProjectDeployToken(
	ctx context.Context, req gen.DeleteProjectDeployTokenRequestObject,
) (gen.DeleteProjectDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.RevokeProjectToken)
	if err != nil {
		return nil, err
	}
	if err := d.delete(ctx, src, req.TokenID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectDeployToken204Response{}, nil
}
