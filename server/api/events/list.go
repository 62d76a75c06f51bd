package events

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// list reads the requested page. It calls which only after it has accepted the pagination parameters, because which can
// query the database.
func (e *Events) list(
	ctx context.Context, q query, which func() (store.EventFilter, error),
) ([]gen.Event, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, e.pages, "Event", q.number, q.size, q.paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	filter, err := which()
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := e.store.Events.List(ctx, q.narrow(filter), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, e.show.Event), window.Headers(total), nil
}
