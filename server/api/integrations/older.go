package integrations

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// ListProjectServices lists the integrations of a project.
// GET /projects/{id}/services
func (s *Integrations) ListProjectServices(
	ctx context.Context, req gen.ListProjectServicesRequestObject,
) (gen.ListProjectServicesResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.list(ctx, in)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectServices200JSONResponse(shown), nil
}

// GetProjectService returns an integration of a project.
// GET /projects/{id}/services/{slug}
func (s *Integrations) GetProjectService(
	ctx context.Context, req gen.GetProjectServiceRequestObject,
) (gen.GetProjectServiceResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.hooks.Integration(ctx, in, string(req.Slug))
	if err != nil {
		return nil, err
	}
	return gen.GetProjectService200JSONResponse(present(found)), nil
}

// UpdateProjectService sets up an integration of a project.
// PUT /projects/{id}/services/{slug}
func (s *Integrations) UpdateProjectService(
	ctx context.Context, req gen.UpdateProjectServiceRequestObject,
) (gen.UpdateProjectServiceResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	set, err := s.set(ctx, in, req.Slug, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectService200JSONResponse(present(set)), nil
}

// DeleteProjectService switches off an integration of a project.
// DELETE /projects/{id}/services/{slug}
func (s *Integrations) DeleteProjectService(
	ctx context.Context, req gen.DeleteProjectServiceRequestObject,
) (gen.DeleteProjectServiceResponseObject, error) {
	in, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.RemoveIntegration(ctx, in, string(req.Slug), reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectService204Response{}, nil
}
