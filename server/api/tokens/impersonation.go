package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ListUserImpersonationTokens lists the impersonation tokens of a user.
// GET /users/{user_id}/impersonation_tokens
func (t *Tokens) ListUserImpersonationTokens(
	ctx context.Context, req gen.ListUserImpersonationTokensRequestObject,
) (gen.ListUserImpersonationTokensResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminToken); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, t.pages, "PersonalAccessToken", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	user, err := t.store.Users.Get(ctx, req.UserID)
	if err != nil {
		return nil, err
	}
	filter := store.TokenFilter{UserID: &user.ID, Impersonation: true}
	if state := req.Params.State; state != nil && *state != gen.ImpersonationTokenStateAll {
		active := *state == gen.ImpersonationTokenStateActive
		filter.Active = &active
	}
	rows, total, err := t.store.Tokens.List(ctx, filter, window.Page)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	return gen.ListUserImpersonationTokens200JSONResponse{
		Body: present.All(rows, func(row model.PersonalAccessToken) gen.ImpersonationToken {
			return present.ImpersonationToken(row, now)
		}),
		Headers: gen.ListUserImpersonationTokens200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetUserImpersonationToken shows an impersonation token of a user.
// GET /users/{user_id}/impersonation_tokens/{impersonation_token_id}
func (t *Tokens) GetUserImpersonationToken(
	ctx context.Context, req gen.GetUserImpersonationTokenRequestObject,
) (gen.GetUserImpersonationTokenResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminToken); err != nil {
		return nil, err
	}
	row, err := t.impersonation(ctx, req.UserID, req.ImpersonationTokenID)
	if err != nil {
		return nil, err
	}
	return gen.GetUserImpersonationToken200JSONResponse(present.ImpersonationToken(row, clock.Now(ctx))), nil
}

// impersonation returns a user's impersonation token. If there is none, the error says whether the user or the token is
// missing.
func (t *Tokens) impersonation(ctx context.Context, userID, id int64) (model.PersonalAccessToken, error) {
	row, err := t.store.Tokens.GetImpersonation(ctx, userID, id)
	if store.IsNotFound(err) {
		if _, missing := t.store.Users.Get(ctx, userID); missing != nil {
			err = missing
		}
	}
	return row, err
}
