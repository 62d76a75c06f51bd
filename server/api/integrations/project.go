package integrations

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// ListProjectIntegrations lists the integrations of a project.
// GET /projects/{id}/integrations
func (s *Integrations) ListProjectIntegrations(
	ctx context.Context, req gen.ListProjectIntegrationsRequestObject,
) (gen.ListProjectIntegrationsResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.list(ctx, in)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIntegrations200JSONResponse(shown), nil
}

// GetProjectIntegration returns an integration of a project.
// GET /projects/{id}/integrations/{slug}
func (s *Integrations) GetProjectIntegration(
	ctx context.Context, req gen.GetProjectIntegrationRequestObject,
) (gen.GetProjectIntegrationResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.hooks.Integration(ctx, in, string(req.Slug))
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIntegration200JSONResponse(present(found)), nil
}

// UpdateProjectIntegration sets up an integration of a project.
// PUT /projects/{id}/integrations/{slug}
func (s *Integrations) UpdateProjectIntegration(
	ctx context.Context, req gen.UpdateProjectIntegrationRequestObject,
) (gen.UpdateProjectIntegrationResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	set, err := s.set(ctx, in, req.Slug, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectIntegration200JSONResponse(present(set)), nil
}

// DeleteProjectIntegration switches off an integration of a project.
// DELETE /projects/{id}/integrations/{slug}
func (s *Integrations) DeleteProjectIntegration(
	ctx context.Context, req gen.DeleteProjectIntegrationRequestObject,
) (gen.DeleteProjectIntegrationResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.RemoveIntegration(ctx, in, string(req.Slug), reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIntegration204Response{}, nil
}
