package tokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// RotateGroupAccessTokensSelf replaces the group access token that the request was made with.
// POST /groups/{id}/access_tokens/self/rotate
func (t *Tokens) RotateGroupAccessTokensSelf(
	ctx context.Context, req gen.RotateGroupAccessTokensSelfRequestObject,
) (gen.RotateGroupAccessTokensSelfResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.RotateSelfInGroup)
	if err != nil {
		return nil, err
	}
	row, plain, err := t.tokens.RotateSelf(ctx, src, rotationExpiry(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.RotateGroupAccessTokensSelf200JSONResponse(present.ResourceTokenWithToken(row, plain, time.Now())), nil
}

// RotateProjectAccessTokensSelf replaces the project access token that the request was made with.
// POST /projects/{id}/access_tokens/self/rotate
func (t *Tokens) RotateProjectAccessTokensSelf(
	ctx context.Context, req gen.RotateProjectAccessTokensSelfRequestObject,
) (gen.RotateProjectAccessTokensSelfResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.RotateSelfInProject)
	if err != nil {
		return nil, err
	}
	row, plain, err := t.tokens.RotateSelf(ctx, src, rotationExpiry(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.RotateProjectAccessTokensSelf200JSONResponse(present.ResourceTokenWithToken(row, plain, time.Now())), nil
}
