package alert

import (
	"context"
	"errors"

	"svc/server/domain/monitoring/alert/format"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Try records a payload as if a monitoring tool had sent it through the integration.
func (s *Service) Try(
	ctx context.Context, p model.Project, i model.AlertIntegration, payload []byte,
) ([]store.RecordedAlert, error) {
	if !i.Active {
		return nil, apierr.Refused("400 Bad request - the integration is not active")
	}
	set, err := s.store.Alerts.Settings(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	to := model.AlertEndpoint{ProjectID: p.ID, IntegrationID: i.ID, WantsIncident: set.CreateIncident}
	if i.Mapping != nil {
		to.Mapping = *i.Mapping
	}
	recorded, err := s.intake.Record(ctx, to, payload, i.Identifier == model.LegacyMetrics)
	if errors.Is(err, format.ErrFormat) || errors.Is(err, format.ErrMalformed) {
		return nil, apierr.Refused("400 Bad request - the payload cannot be read as an alert")
	}
	return recorded, err
}
