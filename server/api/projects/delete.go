package projects

import (
	"context"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProject deletes a project.
// DELETE /projects/{id}
func (p *Projects) DeleteProject(
	ctx context.Context, req gen.DeleteProjectRequestObject,
) (gen.DeleteProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.RemoveProject)
	if err != nil {
		return nil, err
	}
	if err := p.projects.Delete(ctx, row.Project, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProject202JSONResponse{Message: "202 " + http.StatusText(http.StatusAccepted)}, nil
}
