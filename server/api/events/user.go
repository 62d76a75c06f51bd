package events

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// ListUserEvents lists the events of a user that the caller can see. For a private profile the list is empty, except
// for the user and for administrators.
// GET /users/{id}/events
func (e *Events) ListUserEvents(
	ctx context.Context, req gen.ListUserEventsRequestObject,
) (gen.ListUserEventsResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadUserEvents)
	if err != nil {
		return nil, err
	}
	user, err := access.FindUser(ctx, e.store, req.ID)
	if err != nil {
		return nil, err
	}
	p := req.Params
	q := query{p.Action, p.TargetType, p.Before, p.After, p.Sort, p.Pagination, p.Page, p.PerPage}
	if user.PrivateProfile && (actor == nil || actor.User.ID != user.ID && !actor.User.Admin) {
		window, err := e.pages.Offset(ctx, pagination.Kind{Name: "Event"}, q.number, q.size)
		if err != nil {
			return nil, err
		}
		return gen.ListUserEvents200JSONResponse{
			Body:    []gen.Event{},
			Headers: gen.ListUserEvents200ResponseHeaders(window.Headers(store.Total{Known: true})),
		}, nil
	}
	body, headers, err := e.list(ctx, q, func() (f store.EventFilter, err error) {
		f.AuthorID = user.ID
		f.View, err = e.store.Events.ViewOfAuthor(ctx, user.ID, access.Reader(ctx))
		return f, err
	})
	if err != nil {
		return nil, err
	}
	return gen.ListUserEvents200JSONResponse{Body: body, Headers: gen.ListUserEvents200ResponseHeaders(headers)}, nil
}
