package groups

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
)

// maxProjects is the maximum number of projects in the response for one group. The list operations return all of them.
const maxProjects = 100

// CreateGroupProject moves a project into a group.
// POST /groups/{id}/projects/{project_id}
func (g *Groups) CreateGroupProject(
	ctx context.Context, req gen.CreateGroupProjectRequestObject,
) (gen.CreateGroupProjectResponseObject, error) {
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
	err = events.MoveProject(ctx, g.store, project.Project, row.ID, nil)
	var refused *store.MoveError
	if errors.As(err, &refused) {
		return nil, apierr.Failed("transfer project", "new_namespace", refused.Reason)
	}
	if err != nil {
		return nil, err
	}
	shown, err := g.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupProject201JSONResponse(shown), nil
}

// withProjects adds the newest projects that the caller can see, both in the group and shared with the group.
func (g *Groups) withProjects(ctx context.Context, shown gen.Group) (gen.Group, error) {
	reader, newest := access.Reader(ctx), store.ProjectOrder{Column: "created_at", Desc: true}
	window := store.Page{Limit: maxProjects}
	own, _, err := g.store.Projects.List(ctx, store.ProjectFilter{NamespaceID: &shown.ID}, newest, reader, window)
	if err != nil {
		return shown, err
	}
	shared, _, err := g.store.Projects.List(ctx, store.ProjectFilter{SharedWith: &shown.ID}, newest, reader, window)
	return g.show.GroupProjects(shown, reader == nil, own, shared), err
}
