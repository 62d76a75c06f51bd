package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// CreateProjectForkRelation marks an existing project as a fork of another.
// POST /projects/{id}/fork/{forked_from_id}
func (p *Projects) CreateProjectForkRelation(
	ctx context.Context, req gen.CreateProjectForkRelationRequestObject,
) (gen.CreateProjectForkRelationResponseObject, error) {
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
	return gen.CreateProjectForkRelation201JSONResponse(shown), nil
}

// DeleteProjectForkRelation removes the fork relation of a project.
// DELETE /projects/{id}/fork
func (p *Projects) DeleteProjectForkRelation(
	ctx context.Context, req gen.DeleteProjectForkRelationRequestObject,
) (gen.DeleteProjectForkRelationResponseObject, error) {
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
	return gen.DeleteProjectForkRelation204Response{}, nil
}
