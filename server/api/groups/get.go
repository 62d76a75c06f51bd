package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// maxProjects is the maximum number of projects in the response for one group. The list operations return all of them.
const maxProjects = 100

// GetGroup returns a group.
// GET /groups/{id}
func (g *Groups) GetGroup(ctx context.Context, req gen.GetGroupRequestObject) (gen.GetGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	show := g.detail
	if req.Params.WithProjects != nil && !*req.Params.WithProjects {
		show = g.withoutProjects
	}
	shown, err := show(ctx, row)
	if err != nil {
		return nil, err
	}
	one := []gen.Group{shown}
	if err := g.addStatistics(ctx, req.Params.Statistics, one); err != nil {
		return nil, err
	}
	return gen.GetGroup200JSONResponse(one[0]), nil
}

// detail presents a group with its shares and projects, as the caller can see them.
func (g *Groups) detail(ctx context.Context, row model.Namespace) (gen.Group, error) {
	shown, err := g.withoutProjects(ctx, row)
	if err != nil {
		return shown, err
	}
	return g.withProjects(ctx, shown)
}

func (g *Groups) withoutProjects(ctx context.Context, row model.Namespace) (gen.Group, error) {
	shares, err := g.store.GroupLinks.ListByGroup(ctx, row.ID, access.Reader(ctx))
	return g.show.GroupDetail(row, shares), err
}

// reload reads a group again and presents it, because a change can have given it another path.
func (g *Groups) reload(ctx context.Context, id int64) (gen.Group, error) {
	row, _, err := g.store.Namespaces.GetGroup(ctx, id, "", access.Reader(ctx))
	if err != nil {
		return gen.Group{}, err
	}
	return g.detail(ctx, row)
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
