package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListSnippetRepositoryStorageMoves lists the storage moves of a snippet's repository.
// GET /snippets/{id}/repository_storage_moves
func (s *StorageMoves) ListSnippetRepositoryStorageMoves(
	ctx context.Context, req gen.ListSnippetRepositoryStorageMovesRequestObject,
) (gen.ListSnippetRepositoryStorageMovesResponseObject, error) {
	row, err := s.snippet(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, model.SnippetRepository, row.Snippet.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListSnippetRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, s.show.SnippetStorageMove),
		Headers: gen.ListSnippetRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// CreateSnippetRepositoryStorageMove schedules the move of a snippet's repository to another storage.
// POST /snippets/{id}/repository_storage_moves
func (s *StorageMoves) CreateSnippetRepositoryStorageMove(
	ctx context.Context, req gen.CreateSnippetRepositoryStorageMoveRequestObject,
) (gen.CreateSnippetRepositoryStorageMoveResponseObject, error) {
	row, err := s.snippet(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	from := row.Snippet.RepositoryStorage
	repository := lifecycle.Owner{Kind: model.SnippetRepository, ID: row.Snippet.ID}
	m, err := s.schedule(ctx, repository, from, req.Body, "snippet", events.Change{
		Type: "snippet_repository_move_scheduled", Entity: events.Snippet(row),
		Target: events.Target{Type: "Snippet", ID: row.Snippet.ID, Details: row.Snippet.Title},
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateSnippetRepositoryStorageMove201JSONResponse(
		s.show.SnippetStorageMove(model.StorageMoveRow{Move: m, Snippet: row}),
	), nil
}

// GetSnippetRepositoryStorageMove shows a storage move of a snippet's repository.
// GET /snippets/{id}/repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetSnippetRepositoryStorageMove(
	ctx context.Context, req gen.GetSnippetRepositoryStorageMoveRequestObject,
) (gen.GetSnippetRepositoryStorageMoveResponseObject, error) {
	row, err := s.snippet(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.find(ctx, model.SnippetRepository, row.Snippet.ID, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, err
	}
	return gen.GetSnippetRepositoryStorageMove200JSONResponse(s.show.SnippetStorageMove(found)), nil
}

// snippet returns any snippet. The caller must be an administrator.
func (s *StorageMoves) snippet(ctx context.Context, id int64) (model.SnippetRow, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return model.SnippetRow{}, err
	}
	return s.store.Snippets.Get(ctx, id)
}
