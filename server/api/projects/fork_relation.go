package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// CreateProjectFork marks an existing project as a fork of another.
// POST /projects/{id}/fork/{forked_from_id}
func (p *Projects) CreateProjectFork(
	ctx context.Context, req gen.CreateProjectForkRequestObject,
) (gen.CreateProjectForkResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.LinkFork)
	if err != nil {
		return nil, err
	}
	if err := p.projects.LinkFork(ctx, row.Project, req.ForkedFromID); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectFork201JSONResponse(shown), nil
}

// DeleteProjectFork removes the fork relation of a project.
// DELETE /projects/{id}/fork
func (p *Projects) DeleteProjectFork(
	ctx context.Context, req gen.DeleteProjectForkRequestObject,
) (gen.DeleteProjectForkResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.RemoveFork)
	if err != nil {
		return nil, err
	}
	changed, err := p.projects.UnlinkFork(ctx, row.Project, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	if !changed {
		return notModified{}, nil
	}
	return gen.DeleteProjectFork204Response{}, nil
}
