package events

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

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
	return gen.ListProjectEvents200JSONResponse{
		Body: body, Headers: gen.ListProjectEvents200ResponseHeaders(headers),
	}, nil
}
