package tokens

import (
	"context"

	"svc/gen"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// CreateCurrentUserPersonalAccessToken creates a short-lived token of the caller with few scopes.
// POST /user/personal_access_tokens
func (t *Tokens) CreateCurrentUserPersonalAccessToken(
	ctx context.Context, req gen.CreateCurrentUserPersonalAccessTokenRequestObject,
) (gen.CreateCurrentUserPersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateOwnToken)
	if err != nil {
		return nil, err
	}
	const usual = 1 // in days: the token expires at the end of the day on which it was created
	shown, err := t.create(ctx, actor.User, token.Request{
		Name: req.Body.Name, Description: req.Body.Description.Ptr(), Expires: dayOf(req.Body.ExpiresAt), DefaultDays: usual,
		Scopes: uniqueScopes(req.Body.Scopes),
	})
	return gen.CreateCurrentUserPersonalAccessToken201JSONResponse(shown), err
}

// CreateUserPersonalAccessToken creates a token for a user.
// POST /users/{user_id}/personal_access_tokens
func (t *Tokens) CreateUserPersonalAccessToken(
	ctx context.Context, req gen.CreateUserPersonalAccessTokenRequestObject,
) (gen.CreateUserPersonalAccessTokenResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminToken); err != nil {
		return nil, err
	}
	owner, err := access.UserByID(ctx, t.store, req.UserID)
	if err != nil {
		return nil, err
	}
	shown, err := t.create(ctx, owner.Caller(), requestOf(*req.Body))
	return gen.CreateUserPersonalAccessToken201JSONResponse(shown), err
}

// create creates a personal access token and presents it with its secret.
func (t *Tokens) create(
	ctx context.Context, owner model.Caller, r token.Request,
) (gen.PersonalAccessTokenWithToken, error) {
	now := clock.Now(ctx)
	row, plain, broken, err := t.tokens.Create(ctx, owner, r, now)
	switch {
	case err != nil:
		return gen.PersonalAccessTokenWithToken{}, err
	case len(broken) > 0:
		return gen.PersonalAccessTokenWithToken{}, apierr.Unprocessable(token.Sentence(broken))
	}
	return present.PersonalAccessTokenWithToken(row, plain, now), nil
}
