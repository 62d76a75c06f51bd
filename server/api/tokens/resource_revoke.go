package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteGroupAccessToken revokes an access token of a group and deletes its bot user.
// DELETE /groups/{id}/access_tokens/{token_id}
func (t *Tokens) DeleteGroupAccessToken(
	ctx context.Context, req gen.DeleteGroupAccessTokenRequestObject,
) (gen.DeleteGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	unchangedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := t.tokens.RevokeResource(ctx, src, req.TokenID, unchangedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupAccessToken204Response{}, nil
}

// DeleteProjectAccessToken revokes an access token of a project and deletes its bot user.
// DELETE /projects/{id}/access_tokens/{token_id}
func (t *Tokens) DeleteProjectAccessToken(
	ctx context.Context, req gen.DeleteProjectAccessTokenRequestObject,
) (gen.DeleteProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.RevokeProjectToken)
	if err != nil {
		return nil, err
	}
	unchangedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := t.tokens.RevokeResource(ctx, src, req.TokenID, unchangedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectAccessToken204Response{}, nil
}
