package search

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/search"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
)

// ListSearch searches the instance.
// GET /search
func (s *Search) ListSearch(ctx context.Context, req gen.ListSearchRequestObject) (gen.ListSearchResponseObject, error) {
	if _, err := access.Allow(ctx, access.Search); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, search.Place{}, req.Params, "")
	if err != nil {
		return nil, err
	}
	return gen.ListSearch200JSONResponse{Body: rows, Headers: gen.ListSearch200ResponseHeaders(headers)}, nil
}

// ListGroupSearch searches a group.
// GET /groups/{id}/search
func (s *Search) ListGroupSearch(ctx context.Context, req gen.ListGroupSearchRequestObject) (gen.ListGroupSearchResponseObject, error) {
	group, _, err := s.access.Group(ctx, req.ID, access.SearchGroup)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := s.list(ctx, search.Place{Group: &group}, gen.ListSearchParams{
		Scope: gen.SearchScope(p.Scope), Search: p.Search, State: p.State, Confidential: p.Confidential, Fields: p.Fields,
		IncludeArchived: p.IncludeArchived, Sort: p.Sort, Page: p.Page, PerPage: p.PerPage, Pagination: p.Pagination,
	}, "")
	if err != nil {
		return nil, err
	}
	return gen.ListGroupSearch200JSONResponse{Body: rows, Headers: gen.ListGroupSearch200ResponseHeaders(headers)}, nil
}

// ListProjectSearch searches a project.
// GET /projects/{id}/search
func (s *Search) ListProjectSearch(
	ctx context.Context, req gen.ListProjectSearchRequestObject,
) (gen.ListProjectSearchResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.SearchProject)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := s.list(ctx, search.Place{Project: &row}, gen.ListSearchParams{
		Scope: gen.SearchScope(p.Scope), Search: p.Search, State: p.State, Confidential: p.Confidential, Fields: p.Fields,
		Sort: p.Sort, Page: p.Page, PerPage: p.PerPage, Pagination: p.Pagination,
	}, wire.Value(p.Ref))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSearch200JSONResponse{Body: rows, Headers: gen.ListProjectSearch200ResponseHeaders(headers)}, nil
}

// list reads one page of results.
func (s *Search) list(
	ctx context.Context, in search.Place, p gen.ListSearchParams, ref string,
) ([]gen.SearchResult, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, s.pages, "SearchResult", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	q := query(p, ref)
	if err := q.Check(); err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.results(ctx, p.Scope, in, q, window.Page)
	if rows == nil {
		rows = []gen.SearchResult{}
	}
	return rows, window.Headers(total), err
}

// query reads what to search for.
func query(p gen.ListSearchParams, ref string) search.Query {
	q := search.Query{
		Text: p.Search, Confidential: p.Confidential, InTitle: p.Fields != nil && len(*p.Fields) > 0,
		Oldest:          p.Sort != nil && *p.Sort == gen.SortAsc,
		IncludeArchived: wire.Value(p.IncludeArchived), Ref: ref,
	}
	if p.State != nil && *p.State != gen.SearchStateAll {
		q.State = string(*p.State)
	}
	return q
}
