package alerts

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectAlertIntegration deletes an alert integration.
// DELETE /projects/{id}/alert_integrations/{integration_id}
func (s *Alerts) DeleteProjectAlertIntegration(
	ctx context.Context, req gen.DeleteProjectAlertIntegrationRequestObject,
) (gen.DeleteProjectAlertIntegrationResponseObject, error) {
	project, i, err := s.integration(ctx, req.ID, req.IntegrationID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	err = s.alerts.DeleteIntegration(ctx, project, i, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectAlertIntegration204Response{}, nil
}
