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

// ListGroupAccessTokens lists the access tokens of a group.
// GET /groups/{id}/access_tokens
func (t *Tokens) ListGroupAccessTokens(
	ctx context.Context, req gen.ListGroupAccessTokensRequestObject,
) (gen.ListGroupAccessTokensResponseObject, error) {
	src, err := t.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := t.list(ctx, src, gen.ListProjectAccessTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupAccessTokens200JSONResponse{
		Body: rows, Headers: gen.ListGroupAccessTokens200ResponseHeaders(headers),
	}, nil
}

// ListProjectAccessTokens lists the access tokens of a project.
// GET /projects/{id}/access_tokens
func (t *Tokens) ListProjectAccessTokens(
	ctx context.Context, req gen.ListProjectAccessTokensRequestObject,
) (gen.ListProjectAccessTokensResponseObject, error) {
	src, err := t.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := t.list(ctx, src, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAccessTokens200JSONResponse{
		Body: rows, Headers: gen.ListProjectAccessTokens200ResponseHeaders(headers),
	}, nil
}

// list returns one page of the tokens of a group or project.
func (t *Tokens) list(
	ctx context.Context, src access.TokenSource, p gen.ListProjectAccessTokensParams,
) ([]gen.ResourceAccessToken, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, t.pages, "PersonalAccessToken", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := t.store.Bots.List(ctx, src.Source, filterOf(p), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	now := clock.Now(ctx)
	shown := present.All(rows, func(row model.ResourceToken) gen.ResourceAccessToken { return present.ResourceToken(row, now) })
	return shown, window.Headers(total), nil
}
