package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// TransferProject moves a project into another namespace.
// PUT /projects/{id}/transfer
func (p *Projects) TransferProject(
	ctx context.Context, req gen.TransferProjectRequestObject,
) (gen.TransferProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.TransferProject)
	if err != nil {
		return nil, err
	}
	mover, err := p.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	to, err := p.projects.MayCreateIn(ctx, mover, req.Body.Namespace)
	if err != nil {
		return nil, err
	}
	if err := p.projects.Transfer(ctx, row.Project, to); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.TransferProject200JSONResponse(shown), nil
}
