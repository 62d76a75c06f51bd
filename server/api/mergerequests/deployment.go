package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
)

// ListProjectDeploymentMergeRequests lists the merge requests that a deployment brought. The list is empty for callers who
// may not read merge requests.
// GET /projects/{id}/deployments/{deployment_id}/merge_requests
func (m *MergeRequests) ListProjectDeploymentMergeRequests(
	ctx context.Context, req gen.ListProjectDeploymentMergeRequestsRequestObject,
) (gen.ListProjectDeploymentMergeRequestsResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	found, err := m.store.Deployments.Get(ctx, row.Project.ID, req.DeploymentID)
	if err != nil {
		return nil, err
	}
	only := []int64{}
	if row.ReadsMergeRequests() {
		if only, err = m.deployed.MergeRequests(ctx, row.Project, found); err != nil {
			return nil, err
		}
	}
	q := gen.ListProjectMergeRequestsParams(req.Params)
	f := filter(ctx, q)
	f.Only = &only
	rows, window, total, err := m.listFiltered(ctx, store.InProject(row, access.Reader(ctx)), q, f, row.Project.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectDeploymentMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectDeploymentMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}
