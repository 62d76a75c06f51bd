package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// StarProject stars a project for the caller.
// POST /projects/{id}/star
func (p *Projects) StarProject(
	ctx context.Context, req gen.StarProjectRequestObject,
) (gen.StarProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.StarProject)
	if err != nil {
		return nil, err
	}
	changed, err := p.store.ProjectStars.Create(ctx, reqctx.Of(ctx).Actor.User.ID, row.Project.ID)
	if err != nil {
		return nil, err
	}
	if !changed {
		return notModified{}, nil
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.StarProject201JSONResponse(shown), nil
}

// UnstarProject removes the caller's star from a project.
// POST /projects/{id}/unstar
func (p *Projects) UnstarProject(
	ctx context.Context, req gen.UnstarProjectRequestObject,
) (gen.UnstarProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.StarProject)
	if err != nil {
		return nil, err
	}
	changed, err := p.store.ProjectStars.Delete(ctx, reqctx.Of(ctx).Actor.User.ID, row.Project.ID)
	if err != nil {
		return nil, err
	}
	if !changed {
		return notModified{}, nil
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.UnstarProject201JSONResponse(shown), nil
}
