package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
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
	set, err := e.settings(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectErrorTrackingSettings200JSONResponse(present.ErrorTrackingSettings(set)), nil
}

// UpdateProjectErrorTrackingSettings creates or replaces the error tracking settings of a project.
// PUT /projects/{id}/error_tracking/settings
func (e *ErrorTracking) UpdateProjectErrorTrackingSettings(
	ctx context.Context, req gen.UpdateProjectErrorTrackingSettingsRequestObject,
) (gen.UpdateProjectErrorTrackingSettingsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminErrorTracking)
	if err != nil {
		return nil, err
	}
	before, err := e.store.ErrorTracking.Settings(ctx, row.Project.ID)
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	set := model.ErrorTrackingSetting{ProjectID: row.Project.ID, Active: req.Body.Active, Integrated: req.Body.Integrated}
	if err := e.set(ctx, row.Project, before, &set); err != nil {
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
	before, err := e.settings(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	set := before
	set.Active = req.Body.Active
	if req.Body.Integrated != nil {
		set.Integrated = *req.Body.Integrated
	}
	if err := e.set(ctx, row.Project, before, &set); err != nil {
		return nil, err
	}
	return gen.PatchProjectErrorTrackingSettings200JSONResponse(present.ErrorTrackingSettings(set)), nil
}

func (e *ErrorTracking) settings(ctx context.Context, p model.Project) (model.ErrorTrackingSetting, error) {
	set, err := e.store.ErrorTracking.Settings(ctx, p.ID)
	if store.IsNotFound(err) {
		err = apierr.NotFound("Error Tracking Setting")
	}
	return set, err
}

func (e *ErrorTracking) set(
	ctx context.Context, p model.Project, before model.ErrorTrackingSetting, set *model.ErrorTrackingSetting,
) error {
	return e.store.Tx(ctx, func(ctx context.Context) error {
		if err := e.store.ErrorTracking.SaveSettings(ctx, set); err != nil {
			return err
		}
		return e.events.Audit(ctx, events.Change{
			Type:   "error_tracking_settings_updated",
			Entity: events.Project(p),
			Target: events.Target{Type: "Project", ID: p.ID, Details: p.FullPath},
			Field:  "error tracking", From: describeSettings(before), To: describeSettings(*set),
		})
	})
}

// describeSettings describes the settings in one word, for the audit events.
func describeSettings(s model.ErrorTrackingSetting) string {
	switch {
	case !s.Active:
		return "off"
	case s.Integrated:
		return "on"
	}
	return "external"
}
