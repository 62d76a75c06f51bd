package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
)

// ArchiveProject makes a project read-only.
// POST /projects/{id}/archive
func (p *Projects) ArchiveProject(ctx context.Context, req gen.ArchiveProjectRequestObject) (gen.ArchiveProjectResponseObject, error) {
	shown, err := p.setArchived(ctx, req.ID, true)
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
	shown, err := p.setArchived(ctx, req.ID, false)
	if err != nil {
		return nil, err
	}
	return gen.UnarchiveProject201JSONResponse(shown), nil
}

func (p *Projects) setArchived(ctx context.Context, ref string, archived bool) (gen.Project, error) {
	row, err := p.access.Project(ctx, ref, access.ArchiveProject)
	if err != nil {
		return gen.Project{}, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "project_archived", "Archived project")
		if !archived {
			c = events.OfProject(row.Project, "project_unarchived", "Unarchived project")
		}
		return c, p.store.Projects.Update(ctx, row.Project.ID, map[string]any{"archived": archived})
	})
	if err != nil {
		return gen.Project{}, err
	}
	return p.reload(ctx, row.Project.ID)
}
