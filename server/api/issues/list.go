package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// list returns one page of issues. from is the path of the project or group in the request.
func (s *Issues) list(
	ctx context.Context, scope store.IssuableScope, q gen.ListIssuesParams, whose gen.ListScope, from string,
) ([]gen.Issue, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, s.pages, "Issue", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f, err := filter(ctx, q, whose)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	scope.NonArchived = q.NonArchived == nil || *q.NonArchived
	rows, total, err := s.store.Issues.List(ctx, scope, f, window.Page)
	details := q.WithLabelsDetails != nil && *q.WithLabelsDetails
	return present.All(rows, s.presenter(ctx, from, details).Issue), window.Headers(total), err
}

// ListIssues lists the issues of all projects that the caller can see.
// GET /issues
func (s *Issues) ListIssues(
	ctx context.Context, req gen.ListIssuesRequestObject,
) (gen.ListIssuesResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadIssues); err != nil {
		return nil, err
	}
	scope := store.IssuableScope{Reader: access.Reader(ctx)}
	rows, headers, err := s.list(ctx, scope, req.Params, gen.ListScopeCreatedByMe, "")
	if err != nil {
		return nil, err
	}
	return gen.ListIssues200JSONResponse{Body: rows, Headers: gen.ListIssues200ResponseHeaders(headers)}, nil
}

// ListGroupIssues lists the issues of the projects in a group and its subgroups.
// GET /groups/{id}/issues
func (s *Issues) ListGroupIssues(
	ctx context.Context, req gen.ListGroupIssuesRequestObject,
) (gen.ListGroupIssuesResponseObject, error) {
	g, _, err := s.access.Group(ctx, req.ID, access.ReadGroupIssue)
	if err != nil {
		return nil, err
	}
	scope := store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}
	rows, headers, err := s.list(ctx, scope, gen.ListIssuesParams(req.Params), gen.ListScopeAll, g.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupIssues200JSONResponse{Body: rows, Headers: gen.ListGroupIssues200ResponseHeaders(headers)}, nil
}

// ListProjectIssues lists the issues of a project.
// GET /projects/{id}/issues
func (s *Issues) ListProjectIssues(
	ctx context.Context, req gen.ListProjectIssuesRequestObject,
) (gen.ListProjectIssuesResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, store.InProject(row, access.Reader(ctx)), gen.ListIssuesParams(req.Params), gen.ListScopeAll,
		row.Project.FullPath,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssues200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssues200ResponseHeaders(headers),
	}, nil
}
