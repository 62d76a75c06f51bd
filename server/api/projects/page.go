package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// kind names the lists of projects for pagination.
var kind = pagination.Kind{Name: "Project", Keyset: true}

// rows returns the rows of one page.
func (p *Projects) rows(
	ctx context.Context, q gen.ListProjectsParams, f store.ProjectFilter,
) ([]model.ProjectRow, pagination.Headers, error) {
	f = filterFrom(ctx, f, q)
	order := store.ProjectOrder{Column: "created_at", Desc: true}
	if q.OrderBy != nil {
		order.Column = string(*q.OrderBy)
	}
	if q.Sort != nil {
		order.Desc = *q.Sort == gen.SortDesc
	}
	if q.Pagination != nil && *q.Pagination == gen.PaginationKeyset {
		return p.listByKeyset(ctx, f, order, q.PerPage)
	}
	window, err := p.pages.Offset(ctx, kind, q.Page, q.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := p.store.Projects.List(ctx, f, order, access.Reader(ctx), window.Page)
	return rows, window.Headers(total), err
}

// listByKeyset implements keyset pagination: the link to the next page has the last id as id_after or id_before.
func (p *Projects) listByKeyset(
	ctx context.Context, f store.ProjectFilter, o store.ProjectOrder, size *int64,
) ([]model.ProjectRow, pagination.Headers, error) {
	if o.Column != "id" {
		return nil, pagination.Headers{}, apierr.NoKeyset()
	}
	cursor, err := pagination.Keyset(
		ctx, pagination.Order{Column: "id", Desc: o.Desc},
		[]pagination.Order{{Column: "id"}, {Column: "id", Desc: true}}, size, nil,
	)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, more, err := p.store.Projects.After(ctx, f, access.Reader(ctx), cursor.Keyset)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	var last int64
	if len(rows) > 0 {
		last = rows[len(rows)-1].Project.ID
	}
	return rows, cursor.HeadersByID(more, last), nil
}
