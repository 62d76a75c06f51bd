package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetProjectEnvironment returns an environment.
// GET /projects/{id}/environments/{environment_id}
func (e *Environments) GetProjectEnvironment(
	ctx context.Context, req gen.GetProjectEnvironmentRequestObject,
) (gen.GetProjectEnvironmentResponseObject, error) {
	row, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	shown, err := e.presentWithDeployment(ctx, row, found)
	return gen.GetProjectEnvironment200JSONResponse(shown), err
}

// presentWithDeployment presents an environment with its last deployment.
func (e *Environments) presentWithDeployment(
	ctx context.Context, row model.ProjectRow, found model.Environment,
) (gen.Environment, error) {
	shown := present.Environment(found)
	last, err := e.store.Deployments.LastSuccessful(ctx, found.ID)
	if err != nil {
		return shown, err
	}
	shown.LastDeployment = wire.Maybe[gen.Deployment](nil)
	if last != nil {
		deployment := e.presenter(ctx, row.Project).Deployment(*last)
		shown.LastDeployment = wire.Maybe(&deployment)
	}
	return shown, nil
}
