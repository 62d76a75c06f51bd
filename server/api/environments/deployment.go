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

// ListProjectDeployments lists the deployments of a project.
// GET /projects/{id}/deployments
func (e *Environments) ListProjectDeployments(
	ctx context.Context, req gen.ListProjectDeploymentsRequestObject,
) (gen.ListProjectDeploymentsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, e.pages, "Deployment", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	filter := store.DeploymentFilter{
		Environment: wire.Value(q.Environment), Status: string(wire.Value(q.Status)), OrderBy: string(wire.Value(q.OrderBy)),
		Desc: wire.Value(q.Sort) == gen.SortDesc, After: q.UpdatedAfter.Std(), Before: q.UpdatedBefore.Std(),
	}
	rows, total, err := e.store.Deployments.List(ctx, row.Project.ID, filter, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectDeployments200JSONResponse{
		Body:    present.All(rows, e.presenter(ctx, row.Project).Deployment),
		Headers: gen.ListProjectDeployments200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectDeployment returns a deployment.
// GET /projects/{id}/deployments/{deployment_id}
func (e *Environments) GetProjectDeployment(
	ctx context.Context, req gen.GetProjectDeploymentRequestObject,
) (gen.GetProjectDeploymentResponseObject, error) {
	row, found, err := e.findDeployment(ctx, req.ID, req.DeploymentID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	shown, err := e.presentDeployment(ctx, row.Project, found)
	return gen.GetProjectDeployment200JSONResponse(shown), err
}
