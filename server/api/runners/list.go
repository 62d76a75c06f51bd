package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
)

// ListRunners lists the runners that the caller may manage.
// GET /runners
func (r *Runners) ListRunners(
	ctx context.Context, req gen.ListRunnersRequestObject,
) (gen.ListRunnersResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnRunners)
	if err != nil {
		return nil, err
	}
	filter := store.RunnerFilter{ManagedBy: actor.User.ID}
	rows, headers, err := r.list(ctx, filter, gen.ListRunnersAllParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListRunners200JSONResponse{Body: rows, Headers: gen.ListRunners200ResponseHeaders(headers)}, nil
}

// ListRunnersAll lists all runners.
// GET /runners/all
func (r *Runners) ListRunnersAll(
	ctx context.Context, req gen.ListRunnersAllRequestObject,
) (gen.ListRunnersAllResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminRunner); err != nil {
		return nil, err
	}
	rows, headers, err := r.list(ctx, store.RunnerFilter{}, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListRunnersAll200JSONResponse{Body: rows, Headers: gen.ListRunnersAll200ResponseHeaders(headers)}, nil
}

// ListProjectRunners lists the runners that are available to a project.
// GET /projects/{id}/runners
func (r *Runners) ListProjectRunners(
	ctx context.Context, req gen.ListProjectRunnersRequestObject,
) (gen.ListProjectRunnersResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AdminProjectRunner)
	if err != nil {
		return nil, err
	}
	filter := store.RunnerFilter{ProjectID: project.Project.ID}
	rows, headers, err := r.list(ctx, filter, gen.ListRunnersAllParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRunners200JSONResponse{
		Body: rows, Headers: gen.ListProjectRunners200ResponseHeaders(headers),
	}, nil
}

// ListGroupRunners lists the runners that are available to a group.
// GET /groups/{id}/runners
func (r *Runners) ListGroupRunners(
	ctx context.Context, req gen.ListGroupRunnersRequestObject,
) (gen.ListGroupRunnersResponseObject, error) {
	group, _, err := r.access.Group(ctx, req.ID, access.AdminGroupRunner)
	if err != nil {
		return nil, err
	}
	rows, headers, err := r.list(ctx, store.RunnerFilter{GroupID: group.ID}, gen.ListRunnersAllParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupRunners200JSONResponse{
		Body: rows, Headers: gen.ListGroupRunners200ResponseHeaders(headers),
	}, nil
}
