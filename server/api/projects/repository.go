package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/store/git"
)

// StartProjectHousekeeping starts the maintenance of the repository of a project.
// POST /projects/{id}/housekeeping
func (p *Projects) StartProjectHousekeeping(
	ctx context.Context, req gen.StartProjectHousekeepingRequestObject,
) (gen.StartProjectHousekeepingResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.HousekeepProject)
	if err != nil {
		return nil, err
	}
	if err := p.projects.Housekeep(ctx, row.Project); err != nil {
		return nil, err
	}
	return gen.StartProjectHousekeeping201Response{}, nil
}

// GetProjectStorage shows the place of the repository of a project.
// GET /projects/{id}/storage
func (p *Projects) GetProjectStorage(
	ctx context.Context, req gen.GetProjectStorageRequestObject,
) (gen.GetProjectStorageResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProjectStorage)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectStorage200JSONResponse{
		ProjectID: row.Project.ID, DiskPath: git.ProjectPath(row.Project.ID), CreatedAt: wire.NewTime(row.Project.CreatedAt),
		RepositoryStorage: row.Project.RepositoryStorage,
	}, nil
}
