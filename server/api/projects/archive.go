package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ArchiveProject makes a project read-only.
// POST /projects/{id}/archive
func (p *Projects) ArchiveProject(
	ctx context.Context, req gen.ArchiveProjectRequestObject,
) (gen.ArchiveProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ArchiveProject)
	if err != nil {
		return nil, err
	}
	if err := p.projects.Archive(ctx, row.Project); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.ArchiveProject201JSONResponse(shown), nil
}

// UnarchiveProject makes a project writable again.
// POST /projects/{id}/unarchive
func (p *Projects) UnarchiveProject(
	ctx context.Context, req gen.UnarchiveProjectRequestObject,
) (gen.UnarchiveProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ArchiveProject)
	if err != nil {
		return nil, err
	}
	if err := p.projects.Unarchive(ctx, row.Project); err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.UnarchiveProject201JSONResponse(shown), nil
}
