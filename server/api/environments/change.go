package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/environment"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// CreateProjectEnvironment creates an environment.
// POST /projects/{id}/environments
func (e *Environments) CreateProjectEnvironment(
	ctx context.Context, req gen.CreateProjectEnvironmentRequestObject,
) (gen.CreateProjectEnvironmentResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := e.environments.Create(ctx, row.Project.ID, environment.Settings{
		Name: b.Name, Tier: string(wire.Value(b.Tier)), ExternalURL: b.ExternalURL.Ptr(),
		Description: b.Description.Ptr(),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectEnvironment201JSONResponse(present.Environment(made)), nil
}

// UpdateProjectEnvironment changes an environment.
// PUT /projects/{id}/environments/{environment_id}
func (e *Environments) UpdateProjectEnvironment(
	ctx context.Context, req gen.UpdateProjectEnvironmentRequestObject,
) (gen.UpdateProjectEnvironmentResponseObject, error) {
	_, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	changed, err := e.environments.Apply(ctx, found, environment.Change{
		ExternalURL: req.Body.ExternalURL, Description: req.Body.Description, Tier: (*string)(req.Body.Tier),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectEnvironment200JSONResponse(present.Environment(changed)), nil
}

// DeleteProjectEnvironment deletes an environment.
// DELETE /projects/{id}/environments/{environment_id}
func (e *Environments) DeleteProjectEnvironment(
	ctx context.Context, req gen.DeleteProjectEnvironmentRequestObject,
) (gen.DeleteProjectEnvironmentResponseObject, error) {
	_, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	if err := e.environments.Delete(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectEnvironment204Response{}, nil
}
