package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListProjects lists the projects that the caller can see.
// GET /projects
func (p *Projects) ListProjects(
	ctx context.Context, req gen.ListProjectsRequestObject,
) (gen.ListProjectsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadProjects); err != nil {
		return nil, err
	}
	if q := req.Params; !wire.Value(q.Statistics) && !wire.Value(q.WithCustomAttributes) {
		rows, headers, err := p.rows(ctx, q, store.ProjectFilter{})
		return cachedList{cache: p.cache, rows: rows, simple: p.simple(ctx, q), headers: headers}, err
	}
	rows, headers, err := p.list(ctx, req.Params, store.ProjectFilter{})
	if err != nil {
		return nil, err
	}
	return gen.ListProjects200JSONResponse{Body: rows, Headers: gen.ListProjects200ResponseHeaders(headers)}, nil
}

// ListProjectForks lists the forks of a project.
// GET /projects/{id}/forks
func (p *Projects) ListProjectForks(
	ctx context.Context, req gen.ListProjectForksRequestObject,
) (gen.ListProjectForksResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.list(ctx, gen.ListProjectsParams(req.Params), store.ProjectFilter{ForkedFrom: &row.Project.ID})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectForks200JSONResponse{Body: rows, Headers: gen.ListProjectForks200ResponseHeaders(headers)}, nil
}

// list returns one page of the projects that match both the query parameters and the filter.
func (p *Projects) list(
	ctx context.Context, q gen.ListProjectsParams, f store.ProjectFilter,
) ([]gen.Project, pagination.Headers, error) {
	rows, headers, err := p.rows(ctx, q, f)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	show := p.show.Project
	if p.simple(ctx, q) {
		show = p.show.ProjectSimple
	}
	if wire.Value(q.Statistics) {
		show = withStatistics(show)
	}
	shown := present.All(rows, show)
	return shown, headers, p.attach(ctx, shown, q.WithCustomAttributes)
}

// simple reports whether the list uses the simple form of a project.
func (*Projects) simple(ctx context.Context, q gen.ListProjectsParams) bool {
	return wire.Value(q.Simple) || reqctx.Of(ctx).Actor == nil
}

// withStatistics adds the statistics of a project, if the caller is at least a reporter there.
func withStatistics(show func(model.ProjectRow) gen.Project) func(model.ProjectRow) gen.Project {
	return func(row model.ProjectRow) gen.Project {
		shown := show(row)
		if row.Role() >= model.Reporter {
			shown.Statistics = present.ProjectStatistics(row.Project)
		}
		return shown
	}
}
