package groups

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// kind names the lists of groups for pagination.
var kind = pagination.Kind{Name: "Group", Keyset: true}

func (g *Groups) page(
	ctx context.Context, f store.GroupFilter, statistics *bool, number, size *int64,
) ([]gen.Group, pagination.Headers, error) {
	window, err := g.pages.Offset(ctx, kind, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := g.store.Namespaces.ListGroups(ctx, f, access.Reader(ctx), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	shown := present.All(rows, g.show.Group)
	return shown, window.Headers(total), g.addStatistics(ctx, statistics, shown)
}

// addStatistics adds the sizes of groups, if the request wants them, to the groups that the caller owns.
func (g *Groups) addStatistics(ctx context.Context, wanted *bool, shown []gen.Group) error {
	reader := access.Reader(ctx)
	if !wire.Value(wanted) || reader == nil {
		return nil
	}
	ids := make([]int64, len(shown))
	for i, group := range shown {
		ids[i] = group.ID
	}
	sizes, err := g.store.Namespaces.Sizes(ctx, ids, *reader)
	for i := range shown {
		if size, owned := sizes[shown[i].ID]; owned {
			shown[i].Statistics = present.GroupStatistics(size)
		}
	}
	return err
}

// listByKeyset lists groups with keyset pagination. The contract offers it for «order_by=name, sort=asc only,
// unauthenticated».
func (g *Groups) listByKeyset(
	ctx context.Context, f store.GroupFilter, p gen.ListGroupsParams,
) ([]gen.Group, pagination.Headers, error) {
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
	f.Visibility = visibilityFrom(v)
	if orderBy != nil {
		f.OrderBy = string(*orderBy)
	}
	f.Desc = sort != nil && *sort == gen.SortDesc
	return f
}
