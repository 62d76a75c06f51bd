package alerts

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/access"
)

// UpdateProjectAlertIntegration changes an alert integration.
// PUT /projects/{id}/alert_integrations/{integration_id}
func (s *Alerts) UpdateProjectAlertIntegration(
	ctx context.Context, req gen.UpdateProjectAlertIntegrationRequestObject,
) (gen.UpdateProjectAlertIntegrationResponseObject, error) {
	project, before, err := s.integration(ctx, req.ID, req.IntegrationID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	change, err := integrationChange(*req.Body)
	if err != nil {
		return nil, err
	}
	after, err := s.alerts.ChangeIntegration(ctx, project, before, change)
	if err != nil {
		return nil, err
	}
	shown, err := s.presentIntegration(project, after)
	return gen.UpdateProjectAlertIntegration200JSONResponse(shown), err
}

// integrationChange reads the body of the request.
func integrationChange(b gen.AlertIntegrationUpdate) (c alert.IntegrationChange, err error) {
	c = alert.IntegrationChange{Name: b.Name, Active: b.Active}
	if c.Sample, err = encodeJSON(b.Sample); err == nil {
		c.Mapping, err = encodeJSON(b.Mapping)
	}
	return c, err
}
