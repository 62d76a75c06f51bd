package deploykeys

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/deploykey"
	"svc/server/platform/access"
)

// ListDeployKeys lists all deploy keys, with their projects.
// GET /deploy_keys
func (d *DeployKeys) ListDeployKeys(
	ctx context.Context, req gen.ListDeployKeysRequestObject,
) (gen.ListDeployKeysResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminDeployKey); err != nil {
		return nil, err
	}
	window, err := d.window(ctx, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := d.store.DeployKeys.List(ctx, wire.Value(req.Params.Public), window.Page)
	if err != nil {
		return nil, err
	}
	shown, err := d.withProjects(ctx, rows)
	return gen.ListDeployKeys200JSONResponse{
		Body: shown, Headers: gen.ListDeployKeys200ResponseHeaders(window.Headers(total)),
	}, err
}

// CreateDeployKey creates a public deploy key.
// POST /deploy_keys
func (d *DeployKeys) CreateDeployKey(
	ctx context.Context, req gen.CreateDeployKeyRequestObject,
) (gen.CreateDeployKeyResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminDeployKey); err != nil {
		return nil, err
	}
	made, err := d.keys.CreatePublic(ctx, deploykey.Draft{
		Title: req.Body.Title, Key: req.Body.Key, ExpiresAt: req.Body.ExpiresAt.Std(),
	})
	return gen.CreateDeployKey201JSONResponse(presentKey(made)), err
}
