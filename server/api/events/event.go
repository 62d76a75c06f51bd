package events

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// ListEvents lists the events of the caller. With a scope it lists all events in the projects of the caller.
// GET /events
func (e *Events) ListEvents(ctx context.Context, req gen.ListEventsRequestObject) (gen.ListEventsResponseObject, error) {
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

// ListUserEvents lists the events of a user that the caller can see. For a private profile the list is empty, except
// for the user and for administrators.
// GET /users/{id}/events
func (e *Events) ListUserEvents(ctx context.Context, req gen.ListUserEventsRequestObject) (gen.ListUserEventsResponseObject, error) {
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

// ListProjectEvents lists the events of a project.
// GET /projects/{id}/events
func (e *Events) ListProjectEvents(
	ctx context.Context, req gen.ListProjectEventsRequestObject,
) (gen.ListProjectEventsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadProjectEvents)
	if err != nil {
		return nil, err
	}
	p := req.Params
	q := query{p.Action, p.TargetType, p.Before, p.After, p.Sort, p.Pagination, p.Page, p.PerPage}
	body, headers, err := e.list(ctx, q, func() (store.EventFilter, error) {
		f := store.EventFilter{ProjectID: row.Project.ID}
		if reader := access.Reader(ctx); reader != nil {
			f.View.ReaderID = reader.UserID
		}
		f.View.Add(model.EventProjectOf(row))
		return f, nil
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectEvents200JSONResponse{Body: body, Headers: gen.ListProjectEvents200ResponseHeaders(headers)}, nil
}
