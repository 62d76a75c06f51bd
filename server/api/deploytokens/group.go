package deploytokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// ListGroupDeployTokens lists the deploy tokens of a group.
// GET /groups/{id}/deploy_tokens
func (d *DeployTokens) ListGroupDeployTokens(
	ctx context.Context, req gen.ListGroupDeployTokensRequestObject,
) (gen.ListGroupDeployTokensResponseObject, error) {
	src, err := d.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, &src.Source, gen.ListDeployTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupDeployTokens200JSONResponse{Body: rows, Headers: gen.ListGroupDeployTokens200ResponseHeaders(headers)}, nil
}

// CreateGroupDeployToken creates a deploy token in a group.
// POST /groups/{id}/deploy_tokens
func (d *DeployTokens) CreateGroupDeployToken(
	ctx context.Context, req gen.CreateGroupDeployTokenRequestObject,
) (gen.CreateGroupDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	shown, err := d.create(ctx, src, *req.Body)
	return gen.CreateGroupDeployToken201JSONResponse(shown), err
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
	row, err := d.get(ctx, src.Source, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupDeployToken200JSONResponse(present.DeployToken(row, time.Now())), nil
}

// DeleteGroupDeployToken revokes a deploy token of a group.
// DELETE /groups/{id}/deploy_tokens/{token_id}
func (d *DeployTokens) DeleteGroupDeployToken(
	ctx context.Context, req gen.DeleteGroupDeployTokenRequestObject,
) (gen.DeleteGroupDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	if err := d.delete(ctx, src, req.TokenID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupDeployToken204Response{}, nil
}
