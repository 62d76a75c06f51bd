package resourcegroups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/clock"
)

// ListProjectResourceGroups lists the resource groups of a project.
// GET /projects/{id}/resource_groups
func (r *ResourceGroups) ListProjectResourceGroups(
	ctx context.Context, req gen.ListProjectResourceGroupsRequestObject,
) (gen.ListProjectResourceGroupsResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.ReadResourceGroup)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, r.pages, "Ci::ResourceGroup", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := r.store.ResourceGroups.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectResourceGroups200JSONResponse{
		Body:    present.All(rows, present.ResourceGroup),
		Headers: gen.ListProjectResourceGroups200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectResourceGroupUpcomingJobs lists the jobs that wait for a resource group.
// GET /projects/{id}/resource_groups/{key}/upcoming_jobs
func (r *ResourceGroups) ListProjectResourceGroupUpcomingJobs(
	ctx context.Context, req gen.ListProjectResourceGroupUpcomingJobsRequestObject,
) (gen.ListProjectResourceGroupUpcomingJobsResponseObject, error) {
	project, group, err := r.find(ctx, req.ID, req.Key, access.ReadResourceGroup)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, r.pages, "Ci::Build", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := r.store.ResourceGroups.Upcoming(ctx, group, window.Page)
	if err != nil {
		return nil, err
	}
	show := r.show.OfJobs(project, clock.Now(ctx))
	return gen.ListProjectResourceGroupUpcomingJobs200JSONResponse{
		Body:    present.All(rows, show.Job),
		Headers: gen.ListProjectResourceGroupUpcomingJobs200ResponseHeaders(window.Headers(total)),
	}, nil
}
