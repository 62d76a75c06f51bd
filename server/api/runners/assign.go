package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
)

// CreateProjectRunner assigns a project runner to another project.
// POST /projects/{id}/runners
func (r *Runners) CreateProjectRunner(
	ctx context.Context, req gen.CreateProjectRunnerRequestObject,
) (gen.CreateProjectRunnerResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	row, _, err := r.find(ctx, req.Body.RunnerID, true)
	if err != nil {
		return nil, err
	}
	if err := r.runners.Assign(ctx, row, project.Project); err != nil {
		return nil, err
	}
	return gen.CreateProjectRunner201JSONResponse(present.RunnerBasic(row, clock.Now(ctx))), nil
}

// DeleteProjectRunner unassigns a runner from a project.
// DELETE /projects/{id}/runners/{runner_id}
func (r *Runners) DeleteProjectRunner(
	ctx context.Context, req gen.DeleteProjectRunnerRequestObject,
) (gen.DeleteProjectRunnerResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := r.runners.Unassign(ctx, req.RunnerID, project.Project, unmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectRunner204Response{}, nil
}
