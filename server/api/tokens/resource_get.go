package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// GetGroupAccessToken shows an access token of a group.
// GET /groups/{id}/access_tokens/{token_id}
func (t *Tokens) GetGroupAccessToken(
	ctx context.Context, req gen.GetGroupAccessTokenRequestObject,
) (gen.GetGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	row, err := t.tokens.FindResource(ctx, src, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupAccessToken200JSONResponse(present.ResourceToken(row, clock.Now(ctx))), nil
}

// GetProjectAccessToken shows an access token of a project.
// GET /projects/{id}/access_tokens/{token_id}
func (t *Tokens) GetProjectAccessToken(
	ctx context.Context, req gen.GetProjectAccessTokenRequestObject,
) (gen.GetProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	row, err := t.tokens.FindResource(ctx, src, req.TokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectAccessToken200JSONResponse(present.ResourceToken(row, clock.Now(ctx))), nil
}
