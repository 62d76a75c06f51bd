package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// UpdateProjectErrorTrackingSettings creates or replaces the error tracking settings of a project.
// PUT /projects/{id}/error_tracking/settings
func (e *ErrorTracking) UpdateProjectErrorTrackingSettings(
	ctx context.Context, req gen.UpdateProjectErrorTrackingSettingsRequestObject,
) (gen.UpdateProjectErrorTrackingSettingsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	set, err := e.tracker.ReplaceSettings(ctx, row.Project, req.Body.Active, req.Body.Integrated)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectErrorTrackingSettings200JSONResponse(present.ErrorTrackingSettings(set)), nil
}

// PatchProjectErrorTrackingSettings switches error tracking on or off.
// PATCH /projects/{id}/error_tracking/settings
func (e *ErrorTracking) PatchProjectErrorTrackingSettings(
	ctx context.Context, req gen.PatchProjectErrorTrackingSettingsRequestObject,
) (gen.PatchProjectErrorTrackingSettingsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	set, err := e.tracker.ChangeSettings(ctx, row.Project, errortracking.SettingsChange{
		Active: req.Body.Active, Integrated: req.Body.Integrated,
	})
	if err != nil {
		return nil, err
	}
	return gen.PatchProjectErrorTrackingSettings200JSONResponse(present.ErrorTrackingSettings(set)), nil
}
