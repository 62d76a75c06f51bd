package projects

import (
	"context"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/removal"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProject deletes a project, or marks it for deletion.
// DELETE /projects/{id}
func (p *Projects) DeleteProject(
	ctx context.Context, req gen.DeleteProjectRequestObject,
) (gen.DeleteProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.RemoveProject)
	if err != nil {
		return nil, err
	}
	_, err = p.projects.Remove(ctx, row.Project, removal.Request{
		Permanently: wire.Value(req.Params.PermanentlyRemove), FullPath: wire.Value(req.Params.FullPath),
		UnmodifiedSince: reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince),
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProject202JSONResponse{Message: "202 " + http.StatusText(http.StatusAccepted)}, nil
}

// RestoreProject restores a project that is marked for deletion.
// POST /projects/{id}/restore
func (p *Projects) RestoreProject(
	ctx context.Context, req gen.RestoreProjectRequestObject,
) (gen.RestoreProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.RestoreProject)
	if err != nil {
		return nil, err
	}
	if err := p.projects.Restore(ctx, row.Project); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.RestoreProject201JSONResponse(shown), nil
}
