package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectErrorTrackingErrorEvents lists the events of an error.
// GET /projects/{id}/error_tracking/errors/{error_id}/events
func (e *ErrorTracking) ListProjectErrorTrackingErrorEvents(
	ctx context.Context, req gen.ListProjectErrorTrackingErrorEventsRequestObject,
) (gen.ListProjectErrorTrackingErrorEventsResponseObject, error) {
	found, err := e.find(ctx, req.ID, req.ErrorID, access.ReadTrackedError)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, e.pages, "ErrorTracking::ErrorEvent", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := e.store.ErrorTracking.Events(ctx, found.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectErrorTrackingErrorEvents200JSONResponse{
		Body:    present.All(rows, present.TrackedErrorEvent),
		Headers: gen.ListProjectErrorTrackingErrorEvents200ResponseHeaders(window.Headers(total)),
	}, nil
}
