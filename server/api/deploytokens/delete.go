package deploytokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectDeployToken revokes a deploy token of a project.
// DELETE /projects/{id}/deploy_tokens/{token_id}
func (d *DeployTokens) DeleteProjectDeployToken(
	ctx context.Context, req gen.DeleteProjectDeployTokenRequestObject,
) (gen.DeleteProjectDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.RevokeProjectToken)
	if err != nil {
		return nil, err
	}
	if err := d.tokens.Revoke(ctx, src, req.TokenID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectDeployToken204Response{}, nil
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
	if err := d.tokens.Revoke(ctx, src, req.TokenID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroupDeployToken204Response{}, nil
}
