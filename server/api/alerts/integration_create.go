package alerts

import (
	"context"
	"encoding/json"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/access"
)

// CreateProjectAlertIntegration creates an alert integration.
// POST /projects/{id}/alert_integrations
func (s *Alerts) CreateProjectAlertIntegration(
	ctx context.Context, req gen.CreateProjectAlertIntegrationRequestObject,
) (gen.CreateProjectAlertIntegrationResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	wanted, err := newIntegration(*req.Body)
	if err != nil {
		return nil, err
	}
	made, err := s.alerts.CreateIntegration(ctx, row.Project, wanted)
	if err != nil {
		return nil, err
	}
	shown, err := s.presentIntegration(row.Project, made)
	return gen.CreateProjectAlertIntegration201JSONResponse(shown), err
}

// newIntegration reads the body of the request.
func newIntegration(b gen.AlertIntegrationCreate) (n alert.NewIntegration, err error) {
	n = alert.NewIntegration{
		Type: string(b.Type), Name: b.Name, Active: b.Active == nil || *b.Active, Legacy: wire.Value(b.Legacy),
	}
	if n.Sample, err = encodeJSON(b.Sample); err == nil {
		n.Mapping, err = encodeJSON(b.Mapping)
	}
	return n, err
}

// encodeJSON encodes a value as JSON. A value that is absent or null stays so.
func encodeJSON[T any](value wire.Optional[T]) (wire.Optional[string], error) {
	if !value.IsSet() {
		return wire.Optional[string]{}, nil
	}
	if value.Ptr() == nil {
		return wire.Null[string](), nil
	}
	text, err := json.Marshal(value.Ptr())
	return wire.Some(string(text)), err
}
