package tokens

import (
	"context"
	"slices"
	"time"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
	"svc/store/secret"
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
	shown, err := t.create(ctx, actor.User, account.NewPersonalToken{
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
	shown, err := t.create(ctx, owner.Caller(), newPersonal(*req.Body))
	return gen.CreateUserPersonalAccessToken201JSONResponse(shown), err
}

func newPersonal(body gen.TokenCreate) account.NewPersonalToken {
	return account.NewPersonalToken{
		Name: body.Name, Description: body.Description.Ptr(), Expires: dayOf(body.ExpiresAt), Scopes: uniqueScopes(body.Scopes),
	}
}

// create creates a personal access token and presents it with its secret.
func (t *Tokens) create(ctx context.Context, owner model.Caller, n account.NewPersonalToken) (gen.PersonalAccessTokenWithToken, error) {
	now := time.Now()
	row, token, broken, err := t.add(ctx, owner, n, now)
	switch {
	case err != nil:
		return gen.PersonalAccessTokenWithToken{}, err
	case len(broken) > 0:
		return gen.PersonalAccessTokenWithToken{}, apierr.Unprocessable(account.Sentence(broken))
	}
	return present.PersonalAccessTokenWithToken(row, token, now), nil
}

// add creates a token, or returns the validation rules that it breaks.
func (t *Tokens) add(
	ctx context.Context, owner model.Caller, n account.NewPersonalToken, now time.Time,
) (model.PersonalAccessToken, string, []account.BrokenRule, error) {
	if owner.Kind != model.UserHuman {
		return model.PersonalAccessToken{}, "", nil, apierr.Unprocessable("Not permitted to create")
	}
	row, broken := n.Build(owner, t.lifetime, now)
	if len(broken) > 0 {
		return row, "", broken, nil
	}
	token := secret.NewToken()
	row.Digest = secret.Digest(token)
	err := account.AddToken(ctx, t.store, &row)
	return row, token, nil, err
}

// uniqueScopes returns the scopes as strings, without duplicates.
func uniqueScopes[T ~string](scopes []T) []string {
	out := make([]string, 0, len(scopes))
	for _, s := range scopes {
		if !slices.Contains(out, string(s)) {
			out = append(out, string(s))
		}
	}
	return out
}
