package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// StopProjectEnvironment stops an environment.
// POST /projects/{id}/environments/{environment_id}/stop
func (e *Environments) StopProjectEnvironment(
	ctx context.Context, req gen.StopProjectEnvironmentRequestObject,
) (gen.StopProjectEnvironmentResponseObject, error) {
	row, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	force := req.Body != nil && wire.Value(req.Body.Force)
	changed, err := e.environments.StopAs(ctx, row, found, force, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	return gen.StopProjectEnvironment200JSONResponse(present.Environment(changed)), nil
}
