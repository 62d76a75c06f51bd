package alerts

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/variables"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store/model"
)

// ListProjectAlertIntegrations lists the alert integrations of a project.
// GET /projects/{id}/alert_integrations
func (s *Alerts) ListProjectAlertIntegrations(
	ctx context.Context, req gen.ListProjectAlertIntegrationsRequestObject,
) (gen.ListProjectAlertIntegrationsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadAlertIntegration)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, s.pages, "AlertManagement::HttpIntegration", q.Page, q.PerPage, q.Pagination)
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

// presentIntegration decrypts the key of an integration and presents the integration.
func (s *Alerts) presentIntegration(p model.Project, i model.AlertIntegration) (gen.AlertIntegration, error) {
	i, err := s.alerts.Decrypt(i)
	if err != nil {
		return gen.AlertIntegration{}, err
	}
	slug := variables.Slug(i.Name)
	if slug == "" {
		slug = "http-endpoint"
	}
	return s.show.AlertIntegration(i, p.FullPath, slug), nil
}
