package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
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
	var job *model.Job
	if force := req.Body != nil && wire.Value(req.Body.Force); !force {
		if job, err = e.stopJob(ctx, row, found); err != nil {
			return nil, err
		}
	}
	changed, err := e.environments.Stop(ctx, found, job, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	return gen.StopProjectEnvironment200JSONResponse(present.Environment(changed)), nil
}

// stopJob returns the job that stops an environment, or nil if there is none. It refuses callers who may not run it.
func (e *Environments) stopJob(ctx context.Context, row model.ProjectRow, found model.Environment) (*model.Job, error) {
	job, err := e.store.Environments.StopJob(ctx, row.Project.ID, found.Name)
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	allowed, err := e.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return &job, err
}
