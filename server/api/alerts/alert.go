package alerts

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"svc/gen"
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
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
	if !i.Active {
		return nil, apierr.Refused("400 Bad request - the integration is not active")
	}
	set, err := s.store.Alerts.Settings(ctx, project.ID)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(req.Body.Payload)
	if err != nil {
		return nil, err
	}
	to := model.AlertEndpoint{ProjectID: project.ID, IntegrationID: i.ID, WantsIncident: set.CreateIncident}
	if i.Mapping != nil {
		to.Mapping = *i.Mapping
	}
	taken, err := s.intake.Record(ctx, to, body, i.Identifier == model.LegacyMetrics)
	switch {
	case errors.Is(err, alert.ErrFormat), errors.Is(err, alert.ErrMalformed):
		return nil, apierr.Refused("400 Bad request - the payload cannot be read as an alert")
	case err != nil:
		return nil, err
	}
	shown := gen.TakenAlerts{Alerts: make([]gen.TakenAlert, len(taken))}
	for n, a := range taken {
		shown.Alerts[n] = gen.TakenAlert{Iid: a.IID, Title: a.Title}
	}
	return gen.TestProjectAlertIntegration200JSONResponse(shown), nil
}

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
	var set model.AlertSetting
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		before, err := s.store.Alerts.Settings(ctx, row.Project.ID)
		if err != nil {
			return nil, err
		}
		set = before
		if req.Body.CreateIncident != nil {
			set.CreateIncident = *req.Body.CreateIncident
		}
		if req.Body.CloseIncident != nil {
			set.CloseIncident = *req.Body.CloseIncident
		}
		change := events.Differences(before, set, events.OfProject(row.Project, "alert_settings_updated", ""))
		return change, s.store.Alerts.SaveSettings(ctx, &set)
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectAlertSettings200JSONResponse(present.AlertSettings(set)), nil
}

// ListProjectAlerts lists the alerts of a project.
// GET /projects/{id}/alerts
func (s *Alerts) ListProjectAlerts(
	ctx context.Context, req gen.ListProjectAlertsRequestObject,
) (gen.ListProjectAlertsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadAlert)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "AlertManagement::Alert"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Alerts.List(ctx, row.Project.ID, filter(req.Params), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAlerts200JSONResponse{
		Body: present.All(rows, s.show.AlertBasic), Headers: gen.ListProjectAlerts200ResponseHeaders(window.Headers(total)),
	}, nil
}

func filter(p gen.ListProjectAlertsParams) store.AlertFilter {
	f := store.AlertFilter{
		Asc:   p.Sort != nil && *p.Sort == gen.ListProjectAlertsParamsSortAsc,
		ByIID: p.OrderBy != nil && *p.OrderBy == gen.ListProjectAlertsParamsOrderByIid,
	}
	if p.Status != nil {
		f.Status = string(*p.Status)
	}
	if p.Severity != nil {
		f.Severity = string(*p.Severity)
	}
	if p.AssigneeID != nil {
		f.AssigneeID = *p.AssigneeID
	}
	if p.Search != nil {
		f.Search = *p.Search
	}
	return f
}

// GetProjectAlert returns an alert.
// GET /projects/{id}/alerts/{alert_iid}
func (s *Alerts) GetProjectAlert(ctx context.Context, req gen.GetProjectAlertRequestObject) (gen.GetProjectAlertResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadAlert)
	if err != nil {
		return nil, err
	}
	a, err := s.store.Alerts.Get(ctx, row.Project.ID, req.AlertIid)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectAlert200JSONResponse(s.presentAlert(a)), nil
}

// presentAlert presents an alert with every field of its payload.
func (s *Alerts) presentAlert(a model.AlertRow) gen.Alert {
	d := alert.ReadDetails(a.Alert.Format, []byte(a.Alert.Payload))
	return s.show.Alert(a, present.AlertDetails{Runbook: d.Runbook, Query: d.Query, YLabel: d.YLabel, Other: d.Other, Payload: d.Payload})
}

// UpdateProjectAlert changes the status or the assignees of an alert.
// PUT /projects/{id}/alerts/{alert_iid}
func (s *Alerts) UpdateProjectAlert(
	ctx context.Context, req gen.UpdateProjectAlertRequestObject,
) (gen.UpdateProjectAlertResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.UpdateAlert)
	if err != nil {
		return nil, err
	}
	a, err := s.store.Alerts.Get(ctx, row.Project.ID, req.AlertIid)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := s.store.Alerts.Lock(ctx, a.Alert.ID)
		if err != nil {
			return err
		}
		if req.Body.Status != nil {
			if locked, err = s.store.Alerts.SetStatus(ctx, locked, string(*req.Body.Status)); err != nil {
				return err
			}
			if _, err = s.incidents.Update(ctx, row.Project, locked, reqctx.Of(ctx).Actor.User.ID); err != nil {
				return err
			}
		}
		if req.Body.AssigneeIds != nil {
			return s.assign(ctx, row.Project, locked.ID, *req.Body.AssigneeIds)
		}
		return nil
	})
	var second *store.ConflictError
	switch {
	case errors.As(err, &second):
		return nil, apierr.Conflict("An alert with the same fingerprint is already open")
	case err != nil:
		return nil, apierr.OrNotFound(err)
	}
	if a, err = s.store.Alerts.Get(ctx, row.Project.ID, req.AlertIid); err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.UpdateProjectAlert200JSONResponse(s.presentAlert(a)), nil
}

// assign replaces the assignees of an alert. It ignores users who have no role of at least Developer in the project.
func (s *Alerts) assign(ctx context.Context, p model.Project, alertID int64, ids []int64) error {
	slices.Sort(ids)
	readers, err := s.store.Projects.Readers(ctx, p.ID, slices.Compact(ids), nil)
	if err != nil {
		return err
	}
	var users []int64
	for _, r := range readers {
		if r.Row(p).Role() >= model.Developer {
			users = append(users, r.UserID)
		}
	}
	return s.store.Alerts.Assign(ctx, alertID, users)
}
