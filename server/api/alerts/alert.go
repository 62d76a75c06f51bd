package alerts

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/alert/format"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetProjectAlert returns an alert.
// GET /projects/{id}/alerts/{alert_iid}
func (s *Alerts) GetProjectAlert(ctx context.Context, req gen.GetProjectAlertRequestObject) (gen.GetProjectAlertResponseObject, error) {
	_, a, err := s.find(ctx, req.ID, req.AlertIid, access.ReadAlert)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectAlert200JSONResponse(s.presentAlert(a)), nil
}

// find finds an alert of a project and requires the ability in that project.
func (s *Alerts) find(
	ctx context.Context, project string, iid int64, ability access.Ability,
) (model.Project, model.AlertRow, error) {
	row, err := s.access.Project(ctx, project, ability)
	if err != nil {
		return model.Project{}, model.AlertRow{}, err
	}
	a, err := s.store.Alerts.Get(ctx, row.Project.ID, iid)
	return row.Project, a, apierr.OrNotFound(err)
}

// presentAlert presents an alert with every field of its payload.
func (s *Alerts) presentAlert(a model.AlertRow) gen.Alert {
	d := format.ReadDetails(a.Alert.Format, []byte(a.Alert.Payload))
	return s.show.Alert(a, present.AlertDetails{
		Runbook: d.Runbook, Query: d.Query, YLabel: d.YLabel, Other: d.Other, Payload: d.Payload,
	})
}
