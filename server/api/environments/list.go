package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListProjectEnvironments lists the environments of a project.
// GET /projects/{id}/environments
func (e *Environments) ListProjectEnvironments(
	ctx context.Context, req gen.ListProjectEnvironmentsRequestObject,
) (gen.ListProjectEnvironmentsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, e.pages, "Environment", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	filter := store.EnvironmentFilter{
		Name: wire.Value(q.Name), Search: wire.Value(q.Search), State: string(wire.Value(q.States)),
	}
	rows, total, err := e.store.Environments.List(ctx, row.Project.ID, filter, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectEnvironments200JSONResponse{
		Body:    present.All(rows, present.Environment),
		Headers: gen.ListProjectEnvironments200ResponseHeaders(window.Headers(total)),
	}, nil
}
