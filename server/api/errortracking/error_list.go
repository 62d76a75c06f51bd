package errortracking

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListProjectErrorTrackingErrors lists the errors of a project.
// GET /projects/{id}/error_tracking/errors
func (e *ErrorTracking) ListProjectErrorTrackingErrors(
	ctx context.Context, req gen.ListProjectErrorTrackingErrorsRequestObject,
) (gen.ListProjectErrorTrackingErrorsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadTrackedError)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, e.pages, "ErrorTracking::Error", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := e.store.ErrorTracking.List(ctx, row.Project.ID, filter(req.Params), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectErrorTrackingErrors200JSONResponse{
		Body: present.All(rows, present.TrackedError), Headers: gen.ListProjectErrorTrackingErrors200ResponseHeaders(window.Headers(total)),
	}, nil
}

// filter reads the query parameters of the list.
func filter(p gen.ListProjectErrorTrackingErrorsParams) store.ErrorFilter {
	return store.ErrorFilter{
		Asc:    string(wire.Value(p.Sort)) == "asc",
		Status: string(wire.Value(p.Status)),
		Search: wire.Value(p.Search),
		Column: string(wire.Value(p.OrderBy)),
	}
}
