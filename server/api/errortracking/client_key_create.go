package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// CreateProjectErrorTrackingClientKey creates a client key.
// POST /projects/{id}/error_tracking/client_keys
func (e *ErrorTracking) CreateProjectErrorTrackingClientKey(
	ctx context.Context, req gen.CreateProjectErrorTrackingClientKeyRequestObject,
) (gen.CreateProjectErrorTrackingClientKeyResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	k, err := e.tracker.CreateKey(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectErrorTrackingClientKey201JSONResponse(e.show.ErrorTrackingClientKey(k)), nil
}
