package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/clock"
)

// GetPersonalAccessTokenSelf shows the token that the request was made with.
// GET /personal_access_tokens/self
func (t *Tokens) GetPersonalAccessTokenSelf(
	ctx context.Context, _ gen.GetPersonalAccessTokenSelfRequestObject,
) (gen.GetPersonalAccessTokenSelfResponseObject, error) {
	id, err := self(ctx, access.ReadOwnToken)
	if err != nil {
		return nil, err
	}
	token, err := t.store.Tokens.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return gen.GetPersonalAccessTokenSelf200JSONResponse(present.PersonalAccessToken(token, clock.Now(ctx))), nil
}

// self returns the id of the token that the request was made with. A request with another credential is refused.
func self(ctx context.Context, ability access.Ability) (int64, error) {
	actor, err := access.Allow(ctx, ability)
	if err != nil {
		return 0, err
	}
	if actor.TokenID == 0 {
		return 0, apierr.BadRequest("This endpoint requires token type to be a personal access token")
	}
	return actor.TokenID, nil
}
