package auditevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// unlimitedOffset sets no limit on offsets: the contract has none for these lists.
const unlimitedOffset pagination.MaxOffset = 0

var keysetOrders = []pagination.Order{{Column: "id", Desc: true}}

// query holds the pagination parameters that all lists share.
type query struct {
	paging  *gen.Pagination
	orderBy *string
	sort    *gen.Sort
	cursor  *string
	number  *int64
	size    *int64
}

// list reads the requested page.
func (a *AuditEvents) list(
	ctx context.Context, f store.AuditFilter, q query,
) ([]model.AuditEvent, pagination.Headers, error) {
	if q.paging == nil || *q.paging != gen.PaginationKeyset {
		window, err := unlimitedOffset.Offset(ctx, pagination.Kind{Name: "AuditEvent", Keyset: true}, q.number, q.size)
		if err != nil {
			return nil, pagination.Headers{}, err
		}
		rows, total, err := a.store.AuditEvents.List(ctx, f, window.Page)
		return rows, window.Headers(total), err
	}
	order := pagination.Order{Column: "id", Desc: true} // the default order of the list
	if q.orderBy != nil {
		order.Column = *q.orderBy
	}
	if q.sort != nil {
		order.Desc = *q.sort == gen.SortDesc
	}
	cursor, err := pagination.Keyset(ctx, order, keysetOrders, q.size, q.cursor)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	var last *int64
	if cursor.After != nil {
		last = &cursor.After.ID
	}
	rows, more, err := a.store.AuditEvents.ListAfter(ctx, f, last, cursor.Limit)
	if err != nil || len(rows) == 0 {
		return rows, pagination.Headers{}, err
	}
	return rows, cursor.Headers(more, store.Key{ID: rows[len(rows)-1].ID}), nil
}
