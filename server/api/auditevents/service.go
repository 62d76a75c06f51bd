// Package auditevents is who changed what, for those who look after it.
package auditevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// AuditEvents are the operations on audit events.
type AuditEvents struct {
	store  *store.Store
	access *access.Access
	paid   bool
}

// New takes how groups and projects are judged, and whether the tier has audit events.
func New(st *store.Store, a *access.Access, paid bool) *AuditEvents {
	return &AuditEvents{store: st, access: a, paid: paid}
}

// licensed refuses who has no paid tier.
func (a *AuditEvents) licensed() error {
	if a.paid {
		return nil
	}
	return apierr.Forbidden()
}

// every is no limit on offsets: these lists have none.
const every pagination.MaxOffset = 0

var offered = []pagination.Order{{Column: "id", Desc: true}}

// query is what all lists take.
type query struct {
	paging  *gen.Pagination
	orderBy *string
	sort    *gen.Sort
	cursor  *string
	number  *int64
	size    *int64
}

// list reads the page that is asked for.
func (a *AuditEvents) list(ctx context.Context, f store.AuditFilter, q query) ([]model.AuditEvent, pagination.Headers, error) {
	if q.paging == nil || *q.paging != gen.PaginationKeyset {
		window, err := every.Offset(ctx, pagination.Kind{Name: "AuditEvent", Keyset: true}, q.number, q.size)
		if err != nil {
			return nil, pagination.Headers{}, err
		}
		rows, total, err := a.store.AuditEvents.List(ctx, f, window.Page)
		return rows, window.Headers(total), err
	}
	order := pagination.Order{Column: "id", Desc: true} // as the list is by itself
	if q.orderBy != nil {
		order.Column = *q.orderBy
	}
	if q.sort != nil {
		order.Desc = *q.sort == gen.SortDesc
	}
	cursor, err := pagination.Keyset(ctx, order, offered, q.size, q.cursor)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	var last *int64
	if cursor.After != nil {
		last = &cursor.After.ID
	}
	rows, more, err := a.store.AuditEvents.Behind(ctx, f, last, cursor.Limit)
	if err != nil || len(rows) == 0 {
		return rows, pagination.Headers{}, err
	}
	return rows, cursor.Headers(more, store.Key{ID: rows[len(rows)-1].ID}), nil
}

// one finds an event; that of another entity is as if it were not there.
func (a *AuditEvents) one(ctx context.Context, id int64, kind string, entity int64) (model.AuditEvent, error) {
	row, err := a.store.AuditEvents.Get(ctx, id)
	if store.IsNotFound(err) || err == nil && kind != "" && (row.EntityType != kind || row.EntityID != entity) {
		return row, apierr.RecordNotFound()
	}
	return row, err
}
