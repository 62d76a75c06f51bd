package alerts

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// ListProjectAlertIntegrations lists the alert integrations of a project.
// GET /projects/{id}/alert_integrations
func (s *Alerts) ListProjectAlertIntegrations(
	ctx context.Context, req gen.ListProjectAlertIntegrationsRequestObject,
) (gen.ListProjectAlertIntegrationsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadAlertIntegration)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "AlertManagement::HttpIntegration"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Alerts.Integrations(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	body := make([]gen.AlertIntegration, len(rows))
	for i := range rows {
		if body[i], err = s.presentIntegration(row.Project, rows[i]); err != nil {
			return nil, err
		}
	}
	return gen.ListProjectAlertIntegrations200JSONResponse{
		Body: body, Headers: gen.ListProjectAlertIntegrations200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectAlertIntegration creates an alert integration.
// POST /projects/{id}/alert_integrations
func (s *Alerts) CreateProjectAlertIntegration(
	ctx context.Context, req gen.CreateProjectAlertIntegrationRequestObject,
) (gen.CreateProjectAlertIntegrationResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	made, err := s.draft(row.Project, *req.Body)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Alerts.CreateIntegration(ctx, &made, s.show.Paid)
		return change(row.Project, made, "alert_integration_created", "Added an alert integration"), err
	})
	var taken *store.ConflictError
	switch {
	case errors.Is(err, store.ErrTooMany) && s.show.Paid:
		err = apierr.Refused("Maximum number of alert integrations (100) exceeded")
	case errors.Is(err, store.ErrTooMany):
		err = apierr.Refused("Maximum number of alert integrations (one of each type) exceeded")
	case errors.As(err, &taken):
		err = apierr.Invalid("legacy", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	shown, err := s.presentIntegration(row.Project, made)
	return gen.CreateProjectAlertIntegration201JSONResponse(shown), err
}

// draft builds a new integration from the request.
func (s *Alerts) draft(p model.Project, body gen.AlertIntegrationCreate) (model.AlertIntegration, error) {
	made := model.AlertIntegration{
		ProjectID: p.ID, Type: string(body.Type), Name: strings.TrimSpace(body.Name),
		Active: body.Active == nil || *body.Active, Identifier: randomHex(8),
	}
	if made.Name == "" {
		return made, apierr.Invalid("name", "can't be blank")
	}
	if body.Legacy != nil && *body.Legacy {
		made.Identifier = model.LegacyAlerts
		if made.Type == model.AlertMetrics {
			made.Identifier = model.LegacyMetrics
		}
	}
	key := randomHex(16)
	made.Digest, made.Sealed = secret.Digest(key), s.vault.Seal([]byte(key), sealOwner(p.ID))
	var err error
	made.Sample, made.Mapping, err = s.sampleAndMapping(made, body.Sample, body.Mapping)
	return made, err
}

// randomHex returns random bytes as hexadecimal digits.
func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// GetProjectAlertIntegration returns an alert integration.
// GET /projects/{id}/alert_integrations/{integration_id}
func (s *Alerts) GetProjectAlertIntegration(
	ctx context.Context, req gen.GetProjectAlertIntegrationRequestObject,
) (gen.GetProjectAlertIntegrationResponseObject, error) {
	project, i, err := s.integration(ctx, req.ID, req.IntegrationID, access.ReadAlertIntegration)
	if err != nil {
		return nil, err
	}
	shown, err := s.presentIntegration(project, i)
	return gen.GetProjectAlertIntegration200JSONResponse(shown), err
}

// UpdateProjectAlertIntegration changes an alert integration.
// PUT /projects/{id}/alert_integrations/{integration_id}
func (s *Alerts) UpdateProjectAlertIntegration(
	ctx context.Context, req gen.UpdateProjectAlertIntegrationRequestObject,
) (gen.UpdateProjectAlertIntegrationResponseObject, error) {
	project, before, err := s.integration(ctx, req.ID, req.IntegrationID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	set, err := s.changes(before, *req.Body)
	if err != nil {
		return nil, err
	}
	var after model.AlertIntegration
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) (changes []events.Change, err error) {
		after, err = s.store.Alerts.UpdateIntegration(ctx, before, set)
		return events.Differences(before, after, change(project, after, "alert_integration_updated", "")), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	shown, err := s.presentIntegration(project, after)
	return gen.UpdateProjectAlertIntegration200JSONResponse(shown), err
}

// changes returns the columns that the request wants to change.
func (s *Alerts) changes(before model.AlertIntegration, body gen.AlertIntegrationUpdate) (map[string]any, error) {
	set := map[string]any{}
	if body.Name != nil {
		name := strings.TrimSpace(*body.Name)
		if name == "" {
			return nil, apierr.Invalid("name", "can't be blank")
		}
		set["name"] = name
	}
	if body.Active != nil {
		set["active"] = *body.Active
	}
	if body.Sample.IsSet() || body.Mapping.IsSet() {
		sample, mapping, err := s.sampleAndMapping(before, body.Sample, body.Mapping)
		if err != nil {
			return nil, err
		}
		set["sample"], set["mapping"] = sample, mapping
	}
	return set, nil
}

// DeleteProjectAlertIntegration deletes an alert integration.
// DELETE /projects/{id}/alert_integrations/{integration_id}
func (s *Alerts) DeleteProjectAlertIntegration(
	ctx context.Context, req gen.DeleteProjectAlertIntegrationRequestObject,
) (gen.DeleteProjectAlertIntegrationResponseObject, error) {
	project, i, err := s.integration(ctx, req.ID, req.IntegrationID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Alerts.DeleteIntegration(ctx, i, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return change(project, i, "alert_integration_deleted", "Removed an alert integration"), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectAlertIntegration204Response{}, nil
}

// ResetKeyProjectAlertIntegration gives an alert integration a new key.
// POST /projects/{id}/alert_integrations/{integration_id}/reset_key
func (s *Alerts) ResetKeyProjectAlertIntegration(
	ctx context.Context, req gen.ResetKeyProjectAlertIntegrationRequestObject,
) (gen.ResetKeyProjectAlertIntegrationResponseObject, error) {
	project, i, err := s.integration(ctx, req.ID, req.IntegrationID, access.AdminAlertIntegration)
	if err != nil {
		return nil, err
	}
	key := randomHex(16)
	set := map[string]any{"digest": secret.Digest(key), "sealed": s.vault.Seal([]byte(key), sealOwner(project.ID))}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (c events.Change, err error) {
		i, err = s.store.Alerts.UpdateIntegration(ctx, i, set)
		return change(project, i, "alert_integration_key_reset", "Reset the key of an alert integration"), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	shown, err := s.presentIntegration(project, i)
	return gen.ResetKeyProjectAlertIntegration200JSONResponse(shown), err
}

// integration finds an integration of a project and requires the ability in that project.
func (s *Alerts) integration(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.Project, model.AlertIntegration, error) {
	row, err := s.access.Project(ctx, project, ability)
	if err != nil {
		return model.Project{}, model.AlertIntegration{}, err
	}
	i, err := s.store.Alerts.Integration(ctx, row.Project.ID, id)
	return row.Project, i, apierr.OrNotFound(err)
}
