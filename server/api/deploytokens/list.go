package deploytokens

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

// ListDeployTokens lists the deploy tokens of the instance.
// GET /deploy_tokens
func (d *DeployTokens) ListDeployTokens(
	ctx context.Context, req gen.ListDeployTokensRequestObject,
) (gen.ListDeployTokensResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminDeployToken); err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, nil, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListDeployTokens200JSONResponse{Body: rows, Headers: gen.ListDeployTokens200ResponseHeaders(headers)}, nil
}

// ListProjectDeployTokens lists the deploy tokens of a project.
// GET /projects/{id}/deploy_tokens
func (d *DeployTokens) ListProjectDeployTokens(
	ctx context.Context, req gen.ListProjectDeployTokensRequestObject,
) (gen.ListProjectDeployTokensResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.ReadProjectToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, &src.Source, gen.ListDeployTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectDeployTokens200JSONResponse{
		Body: rows, Headers: gen.ListProjectDeployTokens200ResponseHeaders(headers),
	}, nil
}

// ListGroupDeployTokens lists the deploy tokens of a group.
// GET /groups/{id}/deploy_tokens
func (d *DeployTokens) ListGroupDeployTokens(
	ctx context.Context, req gen.ListGroupDeployTokensRequestObject,
) (gen.ListGroupDeployTokensResponseObject, error) {
	src, err := d.access.TokensOfGroup(ctx, req.ID, access.ReadGroupToken)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, &src.Source, gen.ListDeployTokensParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupDeployTokens200JSONResponse{
		Body: rows, Headers: gen.ListGroupDeployTokens200ResponseHeaders(headers),
	}, nil
}

func (d *DeployTokens) list(
	ctx context.Context, src *store.Source, p gen.ListDeployTokensParams,
) ([]gen.DeployToken, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, d.pages, "DeployToken", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := d.store.DeployTokens.List(ctx, store.DeployTokenFilter{Source: src, Active: p.Active}, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	now := clock.Now(ctx)
	shown := present.All(rows, func(row model.DeployToken) gen.DeployToken { return present.DeployToken(row, now) })
	return shown, window.Headers(total), nil
}
