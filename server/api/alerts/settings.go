package alerts

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectAlertSettings returns the settings that decide what happens when an alert arrives.
// GET /projects/{id}/alert_settings
func (s *Alerts) GetProjectAlertSettings(
	ctx context.Context, req gen.GetProjectAlertSettingsRequestObject,
) (gen.GetProjectAlertSettingsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadAlertIntegration)
	if err != nil {
		return nil, err
	}
	set, err := s.store.Alerts.Settings(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectAlertSettings200JSONResponse(present.AlertSettings(set)), nil
}

// UpdateProjectAlertSettings changes the settings that decide what happens when an alert arrives.
// PUT /projects/{id}/alert_settings
func (s *Alerts) UpdateProjectAlertSettings(
	ctx context.Context, req gen.UpdateProjectAlertSettingsRequestObject,
) (gen.UpdateProjectAlertSettingsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	set, err := s.alerts.ChangeSettings(ctx, row.Project, alert.SettingsChange{
		CreateIncident: req.Body.CreateIncident, CloseIncident: req.Body.CloseIncident,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectAlertSettings200JSONResponse(present.AlertSettings(set)), nil
}
