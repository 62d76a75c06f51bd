package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectErrorTrackingSettings returns the error tracking settings of a project.
// GET /projects/{id}/error_tracking/settings
func (e *ErrorTracking) GetProjectErrorTrackingSettings(
	ctx context.Context, req gen.GetProjectErrorTrackingSettingsRequestObject,
) (gen.GetProjectErrorTrackingSettingsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadErrorTracking)
	if err != nil {
		return nil, err
	}
	set, err := e.tracker.Settings(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectErrorTrackingSettings200JSONResponse(present.ErrorTrackingSettings(set)), nil
}
