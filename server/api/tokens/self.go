package tokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/present"
	"svc/store/model"
)

// GetPersonalAccessTokensSelf shows the token that makes the request.
// GET /personal_access_tokens/self
func (t *Tokens) GetPersonalAccessTokensSelf(ctx context.Context, _ gen.GetPersonalAccessTokensSelfRequestObject) (gen.GetPersonalAccessTokensSelfResponseObject, error) {
	token, err := self(ctx, access.ReadOwnToken)
	if err != nil {
		return nil, err
	}
	return gen.GetPersonalAccessTokensSelf200JSONResponse(present.PersonalAccessToken(*token, time.Now())), nil
}

// DeletePersonalAccessTokensSelf ends the token that makes the request.
// DELETE /personal_access_tokens/self
func (t *Tokens) DeletePersonalAccessTokensSelf(ctx context.Context, _ gen.DeletePersonalAccessTokensSelfRequestObject) (gen.DeletePersonalAccessTokensSelfResponseObject, error) {
	token, err := self(ctx, access.RevokeOwnToken)
	if err != nil {
		return nil, err
	}
	if err := t.store.Tokens.Revoke(ctx, token.ID); err != nil {
		return nil, err
	}
	return gen.DeletePersonalAccessTokensSelf204Response{}, nil
}

// self is the caller's own token; who comes with another credential has none to show.
func self(ctx context.Context, ability access.Ability) (*model.PersonalAccessToken, error) {
	actor, err := access.Allow(ctx, ability)
	if err != nil {
		return nil, err
	}
	if actor.Token == nil {
		return nil, apierr.BadRequest("This endpoint requires token type to be a personal access token")
	}
	return actor.Token, nil
}
