package alerts

import (
	"context"
	"encoding/json"

	"svc/gen"
	"svc/server/platform/access"
)

// TestProjectAlertIntegration sends a test alert.
// POST /projects/{id}/alert_integrations/{integration_id}/test
func (s *Alerts) TestProjectAlertIntegration(
	ctx context.Context, req gen.TestProjectAlertIntegrationRequestObject,
) (gen.TestProjectAlertIntegrationResponseObject, error) {
	project, i, err := s.integration(ctx, req.ID, req.IntegrationID, access.TestAlertIntegration)
	if err != nil {
		return nil, err
	}
	payload, err := json.Marshal(req.Body.Payload)
	if err != nil {
		return nil, err
	}
	recorded, err := s.alerts.Try(ctx, project, i, payload)
	if err != nil {
		return nil, err
	}
	shown := gen.TakenAlerts{Alerts: make([]gen.TakenAlert, len(recorded))}
	for n, a := range recorded {
		shown.Alerts[n] = gen.TakenAlert{Iid: a.IID, Title: a.Title}
	}
	return gen.TestProjectAlertIntegration200JSONResponse(shown), nil
}
