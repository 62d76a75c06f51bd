package deploykeys

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

// ListUserProjectDeployKeys lists the deploy keys of projects that both a user and the caller maintain.
// GET /users/{id}/project_deploy_keys
func (d *DeployKeys) ListUserProjectDeployKeys(
	ctx context.Context, req gen.ListUserProjectDeployKeysRequestObject,
) (gen.ListUserProjectDeployKeysResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserDeployKey); err != nil {
		return nil, err
	}
	user, err := access.FindUser(ctx, d.store, req.ID)
	if err != nil {
		return nil, apierr.OrNotFound(err, "User")
	}
	window, err := d.window(ctx, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := d.store.DeployKeys.ListOfUsers(ctx, user.ID, *access.Reader(ctx), window.Page)
	return gen.ListUserProjectDeployKeys200JSONResponse{
		Body:    present.All(rows, presentKey),
		Headers: gen.ListUserProjectDeployKeys200ResponseHeaders(window.Headers(total)),
	}, err
}
