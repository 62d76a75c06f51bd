package integrations

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// ListGroupIntegrations lists the integrations of a group.
// GET /groups/{id}/integrations
func (s *Integrations) ListGroupIntegrations(
	ctx context.Context, req gen.ListGroupIntegrationsRequestObject,
) (gen.ListGroupIntegrationsResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.list(ctx, in)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupIntegrations200JSONResponse(shown), nil
}

// GetGroupIntegration returns an integration of a group.
// GET /groups/{id}/integrations/{slug}
func (s *Integrations) GetGroupIntegration(
	ctx context.Context, req gen.GetGroupIntegrationRequestObject,
) (gen.GetGroupIntegrationResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.hooks.Integration(ctx, in, string(req.Slug))
	if err != nil {
		return nil, err
	}
	return gen.GetGroupIntegration200JSONResponse(present(found)), nil
}

// UpdateGroupIntegration sets up an integration of a group.
// PUT /groups/{id}/integrations/{slug}
func (s *Integrations) UpdateGroupIntegration(
	ctx context.Context, req gen.UpdateGroupIntegrationRequestObject,
) (gen.UpdateGroupIntegrationResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	set, err := s.set(ctx, in, req.Slug, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupIntegration200JSONResponse(present(set)), nil
}

// DeleteGroupIntegration switches off an integration of a group.
// DELETE /groups/{id}/integrations/{slug}
func (s *Integrations) DeleteGroupIntegration(
	ctx context.Context, req gen.DeleteGroupIntegrationRequestObject,
) (gen.DeleteGroupIntegrationResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.RemoveIntegration(ctx, in, string(req.Slug), reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroupIntegration204Response{}, nil
}
