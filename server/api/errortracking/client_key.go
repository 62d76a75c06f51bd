package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectErrorTrackingClientKeys lists the client keys of a project.
// GET /projects/{id}/error_tracking/client_keys
func (e *ErrorTracking) ListProjectErrorTrackingClientKeys(
	ctx context.Context, req gen.ListProjectErrorTrackingClientKeysRequestObject,
) (gen.ListProjectErrorTrackingClientKeysResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadErrorTracking)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, e.pages, "ErrorTracking::ClientKey", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := e.store.ErrorTracking.Keys(ctx, row.Project.ID, window.Page)
	for i := range rows {
		if err == nil {
			rows[i], err = e.tracker.Decrypt(rows[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return gen.ListProjectErrorTrackingClientKeys200JSONResponse{
		Body:    present.All(rows, e.show.ErrorTrackingClientKey),
		Headers: gen.ListProjectErrorTrackingClientKeys200ResponseHeaders(window.Headers(total)),
	}, nil
}
