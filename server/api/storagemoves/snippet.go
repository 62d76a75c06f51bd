package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
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
