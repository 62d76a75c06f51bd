package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// RotateGroupAccessTokenSelf replaces the group access token that the request was made with.
// POST /groups/{id}/access_tokens/self/rotate
func (t *Tokens) RotateGroupAccessTokenSelf(
	ctx context.Context, req gen.RotateGroupAccessTokenSelfRequestObject,
) (gen.RotateGroupAccessTokenSelfResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.RotateSelfInGroup)
	if err != nil {
		return nil, err
	}
	row, plain, err := t.tokens.RotateSelf(ctx, src, rotationExpiry(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.RotateGroupAccessTokenSelf200JSONResponse(present.ResourceTokenWithToken(row, plain, clock.Now(ctx))), nil
}

// RotateProjectAccessTokenSelf replaces the project access token that the request was made with.
// POST /projects/{id}/access_tokens/self/rotate
func (t *Tokens) RotateProjectAccessTokenSelf(
	ctx context.Context, req gen.RotateProjectAccessTokenSelfRequestObject,
) (gen.RotateProjectAccessTokenSelfResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.RotateSelfInProject)
	if err != nil {
		return nil, err
	}
	row, plain, err := t.tokens.RotateSelf(ctx, src, rotationExpiry(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.RotateProjectAccessTokenSelf200JSONResponse(present.ResourceTokenWithToken(row, plain, clock.Now(ctx))), nil
}
