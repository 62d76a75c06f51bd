package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetProjectErrorTrackingError returns an error.
// GET /projects/{id}/error_tracking/errors/{error_id}
func (e *ErrorTracking) GetProjectErrorTrackingError(
	ctx context.Context, req gen.GetProjectErrorTrackingErrorRequestObject,
) (gen.GetProjectErrorTrackingErrorResponseObject, error) {
	found, err := e.find(ctx, req.ID, req.ErrorID, access.ReadTrackedError)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectErrorTrackingError200JSONResponse(present.TrackedError(found)), nil
}

// UpdateProjectErrorTrackingError resolves or ignores an error.
// PUT /projects/{id}/error_tracking/errors/{error_id}
func (e *ErrorTracking) UpdateProjectErrorTrackingError(
	ctx context.Context, req gen.UpdateProjectErrorTrackingErrorRequestObject,
) (gen.UpdateProjectErrorTrackingErrorResponseObject, error) {
	found, err := e.find(ctx, req.ID, req.ErrorID, access.UpdateTrackedError)
	if err == nil {
		found, err = e.store.ErrorTracking.SetStatus(ctx, found, string(req.Body.Status))
	}
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectErrorTrackingError200JSONResponse(present.TrackedError(found)), nil
}

// find finds an error of a project and requires the ability in that project.
func (e *ErrorTracking) find(ctx context.Context, project string, id int64, ability access.Ability) (model.TrackedError, error) {
	row, err := e.access.Project(ctx, project, ability)
	if err != nil {
		return model.TrackedError{}, err
	}
	found, err := e.store.ErrorTracking.Get(ctx, row.Project.ID, id)
	return found, apierr.OrNotFound(err)
}
