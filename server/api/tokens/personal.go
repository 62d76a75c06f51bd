package tokens

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// ListPersonalAccessTokens lists the caller's tokens or, for administrators, the tokens of all users.
// GET /personal_access_tokens
func (t *Tokens) ListPersonalAccessTokens(
	ctx context.Context, req gen.ListPersonalAccessTokensRequestObject,
) (gen.ListPersonalAccessTokensResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadToken)
	if err != nil {
		return nil, err
	}
	filter, err := personalFilter(actor, req.Params)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, t.pages, "PersonalAccessToken", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := t.store.Tokens.List(ctx, filter, window.Page)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	return gen.ListPersonalAccessTokens200JSONResponse{
		Body: present.All(rows, func(row model.PersonalAccessToken) gen.PersonalAccessToken {
			return present.PersonalAccessToken(row, now)
		}),
		Headers: gen.ListPersonalAccessTokens200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetPersonalAccessToken shows a token.
// GET /personal_access_tokens/{id}
func (t *Tokens) GetPersonalAccessToken(
	ctx context.Context, req gen.GetPersonalAccessTokenRequestObject,
) (gen.GetPersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadToken)
	if err != nil {
		return nil, err
	}
	row, err := t.personal(ctx, actor, req.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetPersonalAccessToken200JSONResponse(present.PersonalAccessToken(row, clock.Now(ctx))), nil
}
