package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ListRunnerManagers lists the machines of a runner.
// GET /runners/{id}/managers
func (r *Runners) ListRunnerManagers(
	ctx context.Context, req gen.ListRunnerManagersRequestObject,
) (gen.ListRunnerManagersResponseObject, error) {
	row, err := r.findVisible(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, r.pages, "RunnerManager", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := r.store.Runners.Managers(ctx, row.ID, window.Page)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	show := func(m model.RunnerManager) gen.JobRunnerManager { return present.RunnerManager(m, now) }
	return gen.ListRunnerManagers200JSONResponse{
		Body:    present.All(rows, show),
		Headers: gen.ListRunnerManagers200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListRunnerJobs lists the jobs that a runner has received.
// GET /runners/{id}/jobs
func (r *Runners) ListRunnerJobs(
	ctx context.Context, req gen.ListRunnerJobsRequestObject,
) (gen.ListRunnerJobsResponseObject, error) {
	row, err := r.findVisible(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, r.pages, "Job", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	f := store.RunnerJobFilter{RunnerID: row.ID, Reader: access.Reader(ctx)}
	if req.Params.Status != nil {
		f.Status = string(*req.Params.Status)
	}
	if req.Params.SystemID != nil {
		f.SystemID = *req.Params.SystemID
	}
	jobs, projects, total, err := r.store.Runners.Jobs(ctx, f, window.Page)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	shown := make([]gen.Job, len(jobs))
	for i, j := range jobs {
		shown[i] = present.JobPresenter{Presenter: r.show, Project: projects[j.Job.ProjectID], Now: now}.Job(j)
	}
	return gen.ListRunnerJobs200JSONResponse{
		Body: shown, Headers: gen.ListRunnerJobs200ResponseHeaders(window.Headers(total)),
	}, nil
}
