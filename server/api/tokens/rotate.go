package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// RotatePersonalAccessTokenSelf replaces the token that the request was made with.
// POST /personal_access_tokens/self/rotate
func (t *Tokens) RotatePersonalAccessTokenSelf(
	ctx context.Context, req gen.RotatePersonalAccessTokenSelfRequestObject,
) (gen.RotatePersonalAccessTokenSelfResponseObject, error) {
	actor, err := access.Allow(ctx, access.RotateOwnToken)
	if err != nil {
		return nil, err
	}
	if actor.TokenID == 0 {
		return nil, apierr.MethodNotAllowed()
	}
	old, err := t.store.Tokens.Get(ctx, actor.TokenID)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotate(ctx, old, req.Body)
	return gen.RotatePersonalAccessTokenSelf200JSONResponse(shown), err
}

// RotatePersonalAccessToken replaces a token.
// POST /personal_access_tokens/{id}/rotate
func (t *Tokens) RotatePersonalAccessToken(
	ctx context.Context, req gen.RotatePersonalAccessTokenRequestObject,
) (gen.RotatePersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.RotateToken)
	if err != nil {
		return nil, err
	}
	old, err := t.find(ctx, actor, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotate(ctx, old, req.Body)
	return gen.RotatePersonalAccessToken200JSONResponse(shown), err
}

// rotate replaces a token and presents the new one. It does not check permissions.
func (t *Tokens) rotate(
	ctx context.Context, old model.PersonalAccessToken, body *gen.TokenRotation,
) (gen.PersonalAccessTokenWithToken, error) {
	now := clock.Now(ctx)
	row, plain, err := t.tokens.Rotate(ctx, old, rotationExpiry(body), now)
	if err != nil {
		return gen.PersonalAccessTokenWithToken{}, err
	}
	return present.PersonalAccessTokenWithToken(row, plain, now), nil
}
