package snippets

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListSnippets lists the caller's snippets.
// GET /snippets
func (s *Snippets) ListSnippets(ctx context.Context, req gen.ListSnippetsRequestObject) (gen.ListSnippetsResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadSnippets)
	if err != nil {
		return nil, err
	}
	p := req.Params
	f := store.SnippetFilter{AuthorID: actor.User.ID, After: p.CreatedAfter.Std(), Before: p.CreatedBefore.Std()}
	rows, headers, err := s.list(ctx, f, query{p.Pagination, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListSnippets200JSONResponse{Body: rows, Headers: gen.ListSnippets200ResponseHeaders(headers)}, nil
}

// ListSnippetsPublic lists public personal snippets.
// GET /snippets/public
func (s *Snippets) ListSnippetsPublic(
	ctx context.Context, req gen.ListSnippetsPublicRequestObject,
) (gen.ListSnippetsPublicResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadSnippets); err != nil {
		return nil, err
	}
	p := req.Params
	f := store.SnippetFilter{Public: true, After: p.CreatedAfter.Std(), Before: p.CreatedBefore.Std()}
	rows, headers, err := s.list(ctx, f, query{p.Pagination, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListSnippetsPublic200JSONResponse{Body: rows, Headers: gen.ListSnippetsPublic200ResponseHeaders(headers)}, nil
}

// ListSnippetsAll lists all snippets that the caller can see.
// GET /snippets/all
func (s *Snippets) ListSnippetsAll(ctx context.Context, req gen.ListSnippetsAllRequestObject) (gen.ListSnippetsAllResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadSnippets)
	if err != nil {
		return nil, err
	}
	p := req.Params
	f := store.SnippetFilter{After: p.CreatedAfter.Std(), Before: p.CreatedBefore.Std()}
	if actor.User.Admin && p.RepositoryStorage != nil {
		f.Storage = *p.RepositoryStorage
	}
	rows, headers, err := s.list(ctx, f, query{p.Pagination, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListSnippetsAll200JSONResponse{Body: rows, Headers: gen.ListSnippetsAll200ResponseHeaders(headers)}, nil
}

// ListProjectSnippets lists the snippets of a project.
// GET /projects/{id}/snippets
func (s *Snippets) ListProjectSnippets(
	ctx context.Context, req gen.ListProjectSnippetsRequestObject,
) (gen.ListProjectSnippetsResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	f := store.SnippetFilter{ProjectID: project.Project.ID, Everyone: project.Role() >= model.Guest}
	rows, headers, err := s.list(ctx, f, query{req.Params.Pagination, req.Params.Page, req.Params.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSnippets200JSONResponse{Body: rows, Headers: gen.ListProjectSnippets200ResponseHeaders(headers)}, nil
}

// query holds the pagination parameters of a list.
type query struct {
	paging *gen.Pagination
	number *int64
	size   *int64
}

// list returns one page of snippets and its headers.
func (s *Snippets) list(ctx context.Context, f store.SnippetFilter, q query) ([]gen.Snippet, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, s.pages, "Snippet", q.number, q.size, q.paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.Snippets.List(ctx, f, access.Reader(ctx), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, s.shown(ctx)), window.Headers(total), nil
}
