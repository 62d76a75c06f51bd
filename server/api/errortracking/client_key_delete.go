package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// DeleteProjectErrorTrackingClientKey deletes a client key.
// DELETE /projects/{id}/error_tracking/client_keys/{key_id}
func (e *ErrorTracking) DeleteProjectErrorTrackingClientKey(
	ctx context.Context, req gen.DeleteProjectErrorTrackingClientKeyRequestObject,
) (gen.DeleteProjectErrorTrackingClientKeyResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	k, err := e.store.ErrorTracking.Key(ctx, row.Project.ID, req.KeyID)
	if err == nil {
		k, err = e.tracker.Decrypt(k)
	}
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = e.tracker.DeleteKey(ctx, row.Project, k, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectErrorTrackingClientKey200JSONResponse(e.show.ErrorTrackingClientKey(k)), nil
}
