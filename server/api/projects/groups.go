package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectGroups lists the groups that contain a project.
// GET /projects/{id}/groups
func (p *Projects) ListProjectGroups(
	ctx context.Context, req gen.ListProjectGroupsRequestObject,
) (gen.ListProjectGroupsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	q := req.Params
	f := store.GroupFilter{Search: wire.Value(q.Search)}
	if q.SkipGroups != nil {
		f.Skip = *q.SkipGroups
	}
	var shared *model.Access
	if wire.Value(q.WithShared) {
		shared = new(model.Access)
		if q.SharedMinAccessLevel != nil {
			*shared = model.Access(*q.SharedMinAccessLevel)
		}
	}
	rows, headers, err := p.groups(ctx, q.Page, q.PerPage, func(w store.Page) ([]model.Namespace, store.Total, error) {
		return p.store.Projects.ListGroupsAround(ctx, row.Project, f, shared, access.Reader(ctx), w)
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectGroups200JSONResponse{Body: rows, Headers: gen.ListProjectGroups200ResponseHeaders(headers)}, nil
}

// ListProjectInvitedGroups lists the groups that a project is shared with.
// GET /projects/{id}/invited_groups
func (p *Projects) ListProjectInvitedGroups(
	ctx context.Context, req gen.ListProjectInvitedGroupsRequestObject,
) (gen.ListProjectInvitedGroupsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	q := req.Params
	f := store.GroupFilter{Search: wire.Value(q.Search)}
	if q.MinAccessLevel != nil {
		f.MinAccess = model.Access(*q.MinAccessLevel)
	}
	rows, headers, err := p.groups(ctx, q.Page, q.PerPage, func(w store.Page) ([]model.Namespace, store.Total, error) {
		return p.store.Projects.ListGroupsInvited(ctx, row.Project, f, access.Reader(ctx), w)
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectInvitedGroups200JSONResponse{
		Body: rows, Headers: gen.ListProjectInvitedGroups200ResponseHeaders(headers),
	}, nil
}

// groups returns one page of groups that are related to a project.
func (p *Projects) groups(
	ctx context.Context, number, size *int64, ask func(store.Page) ([]model.Namespace, store.Total, error),
) ([]gen.GroupPublic, pagination.Headers, error) {
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "Group"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := ask(window.Page)
	return present.All(rows, p.show.GroupPublic), window.Headers(total), err
}
