package alerts

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/access"
)

// UpdateProjectAlert changes the status or the assignees of an alert.
// PUT /projects/{id}/alerts/{alert_iid}
func (s *Alerts) UpdateProjectAlert(
	ctx context.Context, req gen.UpdateProjectAlertRequestObject,
) (gen.UpdateProjectAlertResponseObject, error) {
	project, a, err := s.find(ctx, req.ID, req.AlertIid, access.UpdateAlert)
	if err != nil {
		return nil, err
	}
	a, err = s.alerts.ChangeAlert(ctx, project, a.Alert, alert.Change{
		Status: (*string)(req.Body.Status), AssigneeIDs: req.Body.AssigneeIds,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectAlert200JSONResponse(s.presentAlert(a)), nil
}
