package alerts

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ResetProjectAlertIntegrationKey gives an alert integration a new key.
// POST /projects/{id}/alert_integrations/{integration_id}/reset_key
func (s *Alerts) ResetProjectAlertIntegrationKey(
	ctx context.Context, req gen.ResetProjectAlertIntegrationKeyRequestObject,
) (gen.ResetProjectAlertIntegrationKeyResponseObject, error) {
	project, i, err := s.integration(ctx, req.ID, req.IntegrationID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	if i, err = s.alerts.ResetKey(ctx, project, i); err != nil {
		return nil, err
	}
	shown, err := s.presentIntegration(project, i)
	return gen.ResetProjectAlertIntegrationKey200JSONResponse(shown), err
}
