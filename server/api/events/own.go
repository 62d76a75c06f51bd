package events

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
)

// ListEvents lists the events of the caller. With a scope it lists all events in the projects of the caller.
// GET /events
func (e *Events) ListEvents(
	ctx context.Context, req gen.ListEventsRequestObject,
) (gen.ListEventsResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnEvents)
	if err != nil {
		return nil, err
	}
	p, reader := req.Params, access.Reader(ctx)
	q := query{p.Action, p.TargetType, p.Before, p.After, p.Sort, p.Pagination, p.Page, p.PerPage}
	body, headers, err := e.list(ctx, q, func() (f store.EventFilter, err error) {
		f.AuthorID = actor.User.ID
		if p.Scope == nil {
			f.View, err = e.store.Events.ViewOfAuthor(ctx, actor.User.ID, reader)
			return f, err
		}
		f.View, f.Projects, err = e.store.Events.ViewOfMember(ctx, reader)
		return f, err
	})
	if err != nil {
		return nil, err
	}
	return gen.ListEvents200JSONResponse{Body: body, Headers: gen.ListEvents200ResponseHeaders(headers)}, nil
}
