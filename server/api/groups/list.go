package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

var kind = pagination.Kind{Name: "Group", Keyset: true}

// ListGroups lists the groups that the caller can see.
// GET /groups
func (g *Groups) ListGroups(ctx context.Context, req gen.ListGroupsRequestObject) (gen.ListGroupsResponseObject, error) {
	p := req.Params
	f := filter(p.Search, p.Owned, p.MinAccessLevel, p.SkipGroups, p.Visibility, p.OrderBy, p.Sort)
	f.TopLevelOnly = p.TopLevelOnly != nil && *p.TopLevelOnly
	f.MemberOnly = !allAvailable(ctx, p.AllAvailable)
	if p.Pagination != nil && *p.Pagination == gen.PaginationKeyset {
		rows, headers, err := g.listByKeyset(ctx, f, p)
		if err != nil {
			return nil, err
		}
		return gen.ListGroups200JSONResponse{Body: rows, Headers: gen.ListGroups200ResponseHeaders(headers)}, nil
	}
	rows, headers, err := g.page(ctx, f, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroups200JSONResponse{Body: rows, Headers: gen.ListGroups200ResponseHeaders(headers)}, nil
}

// ListGroupSubgroups lists the direct subgroups of a group.
// GET /groups/{id}/subgroups
func (g *Groups) ListGroupSubgroups(
	ctx context.Context, req gen.ListGroupSubgroupsRequestObject,
) (gen.ListGroupSubgroupsResponseObject, error) {
	parent, _, err := g.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	p := req.Params
	f := filter(p.Search, p.Owned, p.MinAccessLevel, p.SkipGroups, p.Visibility, p.OrderBy, p.Sort)
	f.ParentID = &parent.ID
	rows, headers, err := g.page(ctx, f, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupSubgroups200JSONResponse{Body: rows, Headers: gen.ListGroupSubgroups200ResponseHeaders(headers)}, nil
}

// ListGroupDescendantGroups lists all groups below a group.
// GET /groups/{id}/descendant_groups
func (g *Groups) ListGroupDescendantGroups(
	ctx context.Context, req gen.ListGroupDescendantGroupsRequestObject,
) (gen.ListGroupDescendantGroupsResponseObject, error) {
	parent, _, err := g.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	p := req.Params
	f := filter(p.Search, p.Owned, p.MinAccessLevel, p.SkipGroups, p.Visibility, p.OrderBy, p.Sort)
	f.Below = &parent.ID
	rows, headers, err := g.page(ctx, f, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupDescendantGroups200JSONResponse{Body: rows, Headers: gen.ListGroupDescendantGroups200ResponseHeaders(headers)}, nil
}

func (g *Groups) page(ctx context.Context, f store.GroupFilter, number, size *int64) ([]gen.Group, pagination.Headers, error) {
	window, err := g.pages.Offset(ctx, kind, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := g.store.Namespaces.ListGroups(ctx, f, access.Reader(ctx), window.Page)
	return present.All(rows, g.show.Group), window.Headers(total), err
}

// listByKeyset lists groups with keyset pagination. The contract offers it for «order_by=name, sort=asc only,
// unauthenticated».
func (g *Groups) listByKeyset(ctx context.Context, f store.GroupFilter, p gen.ListGroupsParams) ([]gen.Group, pagination.Headers, error) {
	order := pagination.Order{Column: f.OrderBy, Desc: f.Desc}
	var offered []pagination.Order
	if reqctx.Of(ctx).Actor == nil {
		offered = []pagination.Order{{Column: "name"}}
	}
	cursor, err := pagination.Keyset(ctx, order, offered, p.PerPage, p.Cursor)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, more, err := g.store.Namespaces.GroupsAfter(ctx, f, access.Reader(ctx), cursor.Keyset)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	var last store.Key
	if len(rows) > 0 {
		last = store.Key{Value: rows[len(rows)-1].Name, ID: rows[len(rows)-1].ID}
	}
	return present.All(rows, g.show.Group), cursor.Headers(more, last), nil
}

// allAvailable reports whether the list has all visible groups. By default it has for anonymous callers and
// administrators.
func allAvailable(ctx context.Context, asked *bool) bool {
	if asked != nil {
		return *asked
	}
	actor := reqctx.Of(ctx).Actor
	return actor == nil || actor.User.Admin
}

func filter(
	search *string, owned *bool, least *gen.AccessLevel, skip *[]int64, v *gen.Visibility, orderBy *gen.GroupOrder,
	sort *gen.Sort,
) store.GroupFilter {
	f := store.GroupFilter{OrderBy: "name", Owned: owned != nil && *owned}
	if search != nil {
		f.Search = *search
	}
	if least != nil {
		f.MinAccess = model.Access(*least)
	}
	if skip != nil {
		f.Skip = *skip
	}
	if v != nil {
		only := visibility(*v)
		f.Visibility = &only
	}
	if orderBy != nil {
		f.OrderBy = string(*orderBy)
	}
	f.Desc = sort != nil && *sort == gen.SortDesc
	return f
}
