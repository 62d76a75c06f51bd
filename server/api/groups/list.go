package groups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// ListGroups lists the groups that the caller can see.
// GET /groups
func (g *Groups) ListGroups(
	ctx context.Context, req gen.ListGroupsRequestObject,
) (gen.ListGroupsResponseObject, error) {
	p := req.Params
	f := filter(p.Search, p.Owned, p.MinAccessLevel, p.SkipGroups, p.Visibility, p.OrderBy, p.Sort)
	f.TopLevelOnly = p.TopLevelOnly != nil && *p.TopLevelOnly
	f.MemberOnly = !allAvailable(ctx, p.AllAvailable)
	if actor := reqctx.Of(ctx).Actor; actor != nil && actor.User.Admin && p.CustomAttributes != nil {
		f.CustomAttributes = *p.CustomAttributes
	}
	if p.Pagination != nil && *p.Pagination == gen.PaginationKeyset {
		rows, headers, err := g.listByKeyset(ctx, f, p)
		if err != nil {
			return nil, err
		}
		return gen.ListGroups200JSONResponse{Body: rows, Headers: gen.ListGroups200ResponseHeaders(headers)}, nil
	}
	rows, headers, err := g.page(ctx, f, p.Statistics, p.Page, p.PerPage)
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
	rows, headers, err := g.page(ctx, f, p.Statistics, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupSubgroups200JSONResponse{
		Body: rows, Headers: gen.ListGroupSubgroups200ResponseHeaders(headers),
	}, nil
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
	rows, headers, err := g.page(ctx, f, p.Statistics, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupDescendantGroups200JSONResponse{
		Body: rows, Headers: gen.ListGroupDescendantGroups200ResponseHeaders(headers),
	}, nil
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
