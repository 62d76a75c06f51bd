package runners

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListRunners lists the runners that the caller may manage.
// GET /runners
func (r *Runners) ListRunners(ctx context.Context, req gen.ListRunnersRequestObject) (gen.ListRunnersResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnRunners)
	if err != nil {
		return nil, err
	}
	rows, headers, err := r.list(ctx, store.RunnerFilter{ManagedBy: actor.User.ID}, gen.ListRunnersAllParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListRunners200JSONResponse{Body: rows, Headers: gen.ListRunners200ResponseHeaders(headers)}, nil
}

// ListRunnersAll lists all runners.
// GET /runners/all
func (r *Runners) ListRunnersAll(ctx context.Context, req gen.ListRunnersAllRequestObject) (gen.ListRunnersAllResponseObject, error) {
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
	rows, headers, err := r.list(ctx, store.RunnerFilter{ProjectID: project.Project.ID}, gen.ListRunnersAllParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRunners200JSONResponse{Body: rows, Headers: gen.ListProjectRunners200ResponseHeaders(headers)}, nil
}

// ListGroupRunners lists the runners that are available to a group.
// GET /groups/{id}/runners
func (r *Runners) ListGroupRunners(ctx context.Context, req gen.ListGroupRunnersRequestObject) (gen.ListGroupRunnersResponseObject, error) {
	group, _, err := r.access.Group(ctx, req.ID, access.AdminGroupRunner)
	if err != nil {
		return nil, err
	}
	rows, headers, err := r.list(ctx, store.RunnerFilter{GroupID: group.ID}, gen.ListRunnersAllParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupRunners200JSONResponse{Body: rows, Headers: gen.ListGroupRunners200ResponseHeaders(headers)}, nil
}

// list returns one page of the runners that match both the filter and the query parameters.
func (r *Runners) list(
	ctx context.Context, f store.RunnerFilter, p gen.ListRunnersAllParams,
) ([]gen.RunnerBasic, pagination.Headers, error) {
	window, err := r.window(ctx, "Runner", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	if p.Scope != nil {
		scope(&f, *p.Scope)
	}
	if p.Type != nil {
		f.Type = string(*p.Type)
	}
	if p.Status != nil {
		f.Status = contactStatus(string(*p.Status))
	}
	if p.Paused != nil {
		f.Paused = p.Paused
	}
	if p.TagList != nil {
		f.Tags = *p.TagList
	}
	if p.VersionPrefix != nil {
		f.VersionPrefix = *p.VersionPrefix
	}
	rows, total, err := r.store.Runners.List(ctx, f, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	now := time.Now()
	return present.All(rows, func(row model.Runner) gen.RunnerBasic { return present.RunnerBasic(row, now) }), window.Headers(total), nil
}

// scope applies the deprecated parameter scope to a filter.
func scope(f *store.RunnerFilter, scope gen.RunnerScope) {
	yes, no := true, false
	switch scope {
	case gen.RunnerScopeSpecific:
		f.Shared = &no
	case gen.RunnerScopeShared:
		f.Shared = &yes
	case gen.RunnerScopeActive:
		f.Paused = &no
	case gen.RunnerScopePaused:
		f.Paused = &yes
	case gen.RunnerScopeInstanceType, gen.RunnerScopeGroupType, gen.RunnerScopeProjectType:
		f.Type = string(scope)
	default:
		f.Status = contactStatus(string(scope))
	}
}

// contactStatus returns the store's name of a status. The status never_contacted has a second, older name.
func contactStatus(name string) string {
	if name == string(gen.RunnerStatusFilterNotConnected) {
		return string(gen.RunnerStatusNeverContacted)
	}
	return name
}

func (r *Runners) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return pagination.Window{}, err
	}
	return r.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}

// ListRunnerManagers lists the machines of a runner.
// GET /runners/{id}/managers
func (r *Runners) ListRunnerManagers(
	ctx context.Context, req gen.ListRunnerManagersRequestObject,
) (gen.ListRunnerManagersResponseObject, error) {
	row, err := r.findVisible(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := r.window(ctx, "RunnerManager", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := r.store.Runners.Managers(ctx, row.ID, window.Page)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return gen.ListRunnerManagers200JSONResponse{
		Body:    present.All(rows, func(m model.RunnerManager) gen.JobRunnerManager { return present.RunnerManager(m, now) }),
		Headers: gen.ListRunnerManagers200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListRunnerJobs lists the jobs that a runner has received.
// GET /runners/{id}/jobs
func (r *Runners) ListRunnerJobs(ctx context.Context, req gen.ListRunnerJobsRequestObject) (gen.ListRunnerJobsResponseObject, error) {
	row, err := r.findVisible(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := r.window(ctx, "Job", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
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
	now := time.Now()
	shown := make([]gen.Job, len(jobs))
	for i, j := range jobs {
		shown[i] = present.JobPresenter{Presenter: r.show, Project: projects[j.Job.ProjectID], Now: now}.Job(j)
	}
	return gen.ListRunnerJobs200JSONResponse{Body: shown, Headers: gen.ListRunnerJobs200ResponseHeaders(window.Headers(total))}, nil
}
