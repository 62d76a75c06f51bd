package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// TransferProjectToGroup moves a project into a group.
// POST /groups/{id}/projects/{project_id}
func (g *Groups) TransferProjectToGroup(
	ctx context.Context, req gen.TransferProjectToGroupRequestObject,
) (gen.TransferProjectToGroupResponseObject, error) {
	if _, err := access.Allow(ctx, access.TransferToGroup); err != nil {
		return nil, err
	}
	row, _, err := g.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	project, err := g.access.Project(ctx, req.ProjectID, access.TransferProject)
	if err != nil {
		return nil, err
	}
	if err := g.projects.MoveIntoGroup(ctx, project.Project, row); err != nil {
		return nil, err
	}
	shown, err := g.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.TransferProjectToGroup201JSONResponse(shown), nil
}
