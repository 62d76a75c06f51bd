package deploykeys

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/deploykey"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// ListProjectDeployKeys lists the deploy keys of a project.
// GET /projects/{id}/deploy_keys
func (d *DeployKeys) ListProjectDeployKeys(
	ctx context.Context, req gen.ListProjectDeployKeysRequestObject,
) (gen.ListProjectDeployKeysResponseObject, error) {
	row, err := d.access.Project(ctx, req.ID, access.ReadDeployKey)
	if err != nil {
		return nil, err
	}
	window, err := d.window(ctx, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := d.store.DeployKeys.ListByProject(ctx, row.Project.ID, window.Page)
	return gen.ListProjectDeployKeys200JSONResponse{
		Body:    present.All(rows, presentInProject),
		Headers: gen.ListProjectDeployKeys200ResponseHeaders(window.Headers(total)),
	}, err
}

// CreateProjectDeployKey adds a deploy key to a project.
// POST /projects/{id}/deploy_keys
func (d *DeployKeys) CreateProjectDeployKey(
	ctx context.Context, req gen.CreateProjectDeployKeyRequestObject,
) (gen.CreateProjectDeployKeyResponseObject, error) {
	row, err := d.access.Project(ctx, req.ID, access.AdminProjectDeployKey)
	if err != nil {
		return nil, err
	}
	b := req.Body
	draft := deploykey.Draft{Title: b.Title, Key: b.Key, ExpiresAt: b.ExpiresAt.Std()}
	made, err := d.keys.Add(ctx, row.Project, draft, wire.Value(b.CanPush))
	return gen.CreateProjectDeployKey201JSONResponse(presentInProject(made)), err
}

// GetProjectDeployKey shows a deploy key of a project.
// GET /projects/{id}/deploy_keys/{key_id}
func (d *DeployKeys) GetProjectDeployKey(
	ctx context.Context, req gen.GetProjectDeployKeyRequestObject,
) (gen.GetProjectDeployKeyResponseObject, error) {
	row, err := d.access.Project(ctx, req.ID, access.ReadDeployKey)
	if err != nil {
		return nil, err
	}
	found, err := d.store.DeployKeys.GetOfProject(ctx, row.Project.ID, req.KeyID)
	return gen.GetProjectDeployKey200JSONResponse(presentInProject(found)), apierr.OrNotFound(err, "Deploy Key")
}

// UpdateProjectDeployKey changes a deploy key of a project.
// PUT /projects/{id}/deploy_keys/{key_id}
func (d *DeployKeys) UpdateProjectDeployKey(
	ctx context.Context, req gen.UpdateProjectDeployKeyRequestObject,
) (gen.UpdateProjectDeployKeyResponseObject, error) {
	row, err := d.access.Project(ctx, req.ID, access.AdminProjectDeployKey)
	if err != nil {
		return nil, err
	}
	c := deploykey.Change{Title: req.Body.Title, CanPush: req.Body.CanPush}
	changed, err := d.keys.Apply(ctx, row.Project, req.KeyID, c)
	return gen.UpdateProjectDeployKey200JSONResponse(presentInProject(changed)), err
}

// DeleteProjectDeployKey removes a deploy key from a project.
// DELETE /projects/{id}/deploy_keys/{key_id}
func (d *DeployKeys) DeleteProjectDeployKey(
	ctx context.Context, req gen.DeleteProjectDeployKeyRequestObject,
) (gen.DeleteProjectDeployKeyResponseObject, error) {
	row, err := d.access.Project(ctx, req.ID, access.AdminProjectDeployKey)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectDeployKey204Response{}, d.keys.Remove(ctx, row.Project, req.KeyID, since)
}

// EnableProjectDeployKey enables a deploy key in a project.
// POST /projects/{id}/deploy_keys/{key_id}/enable
func (d *DeployKeys) EnableProjectDeployKey(
	ctx context.Context, req gen.EnableProjectDeployKeyRequestObject,
) (gen.EnableProjectDeployKeyResponseObject, error) {
	row, err := d.access.Project(ctx, req.ID, access.AdminProjectDeployKey)
	if err != nil {
		return nil, err
	}
	enabled, err := d.keys.Enable(ctx, row.Project, req.KeyID)
	return gen.EnableProjectDeployKey201JSONResponse(presentInProject(enabled)), err
}
