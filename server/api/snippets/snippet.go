package snippets

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
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

// CreateSnippet creates a personal snippet.
// POST /snippets
func (s *Snippets) CreateSnippet(ctx context.Context, req gen.CreateSnippetRequestObject) (gen.CreateSnippetResponseObject, error) {
	if _, err := access.Allow(ctx, access.CreateSnippet); err != nil {
		return nil, err
	}
	row, err := s.create(ctx, nil, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateSnippet201JSONResponse(s.shown(ctx)(row)), nil
}

// GetSnippet shows a snippet.
// GET /snippets/{id}
func (s *Snippets) GetSnippet(ctx context.Context, req gen.GetSnippetRequestObject) (gen.GetSnippetResponseObject, error) {
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return gen.GetSnippet200JSONResponse(s.shown(ctx)(row)), nil
}

// UpdateSnippet changes a snippet.
// PUT /snippets/{id}
func (s *Snippets) UpdateSnippet(ctx context.Context, req gen.UpdateSnippetRequestObject) (gen.UpdateSnippetResponseObject, error) {
	row, in, err := s.findForChange(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := mayChange(ctx, row, in); err != nil {
		return nil, err
	}
	if row, err = s.update(ctx, row, *req.Body); err != nil {
		return nil, err
	}
	return gen.UpdateSnippet200JSONResponse(s.shown(ctx)(row)), nil
}

// DeleteSnippet deletes a snippet.
// DELETE /snippets/{id}
func (s *Snippets) DeleteSnippet(ctx context.Context, req gen.DeleteSnippetRequestObject) (gen.DeleteSnippetResponseObject, error) {
	row, in, err := s.findForChange(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := mayChange(ctx, row, in); err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return auditChange(row, "snippet_deleted", "Removed snippet"),
			s.store.Snippets.Delete(ctx, row.Snippet, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteSnippet204Response{}, nil
}

// GetSnippetRaw downloads the first file of a snippet.
// GET /snippets/{id}/raw
func (s *Snippets) GetSnippetRaw(ctx context.Context, req gen.GetSnippetRawRequestObject) (gen.GetSnippetRawResponseObject, error) {
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return s.raw(ctx, row, "", "")
}

// GetSnippetFileRaw downloads a file of a snippet.
// GET /snippets/{id}/files/{ref}/{file_path}/raw
func (s *Snippets) GetSnippetFileRaw(
	ctx context.Context, req gen.GetSnippetFileRawRequestObject,
) (gen.GetSnippetFileRawResponseObject, error) {
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return s.raw(ctx, row, req.Ref, req.FilePath)
}

// GetSnippetUserAgentDetail shows the user agent and IP address that a snippet was created from.
// GET /snippets/{id}/user_agent_detail
func (s *Snippets) GetSnippetUserAgentDetail(
	ctx context.Context, req gen.GetSnippetUserAgentDetailRequestObject,
) (gen.GetSnippetUserAgentDetailResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSnippet); err != nil {
		return nil, err
	}
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return gen.GetSnippetUserAgentDetail200JSONResponse{UserAgent: row.Snippet.UserAgent, IPAddress: row.Snippet.IPAddress}, nil
}

// findForChange returns a snippet that the caller can see, for an operation that changes it. It does not check who may change it;
// see mayChange.
func (s *Snippets) findForChange(ctx context.Context, id int64) (model.SnippetRow, *model.ProjectRow, error) {
	if _, err := access.Allow(ctx, access.UpdateSnippet); err != nil {
		return model.SnippetRow{}, nil, err
	}
	return s.access.Snippet(ctx, id, access.UpdateProjectSnippet)
}
