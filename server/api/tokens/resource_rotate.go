package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// RotateGroupAccessToken replaces an access token of a group.
// POST /groups/{id}/access_tokens/{token_id}/rotate
func (t *Tokens) RotateGroupAccessToken(
	ctx context.Context, req gen.RotateGroupAccessTokenRequestObject,
) (gen.RotateGroupAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	row, plain, err := t.tokens.RotateResource(ctx, src, req.TokenID, rotationExpiry(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.RotateGroupAccessToken200JSONResponse(present.ResourceTokenWithToken(row, plain, clock.Now(ctx))), nil
}

// RotateProjectAccessToken replaces an access token of a project.
// POST /projects/{id}/access_tokens/{token_id}/rotate
func (t *Tokens) RotateProjectAccessToken(
	ctx context.Context, req gen.RotateProjectAccessTokenRequestObject,
) (gen.RotateProjectAccessTokenResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.AdminProjectToken)
	if err != nil {
		return nil, err
	}
	row, plain, err := t.tokens.RotateResource(ctx, src, req.TokenID, rotationExpiry(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.RotateProjectAccessToken200JSONResponse(present.ResourceTokenWithToken(row, plain, clock.Now(ctx))), nil
}
