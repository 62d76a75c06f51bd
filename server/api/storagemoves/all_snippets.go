package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListAllSnippetRepositoryStorageMoves lists the storage moves of all snippet repositories.
// GET /snippet_repository_storage_moves
func (s *StorageMoves) ListAllSnippetRepositoryStorageMoves(
	ctx context.Context, req gen.ListAllSnippetRepositoryStorageMovesRequestObject,
) (gen.ListAllSnippetRepositoryStorageMovesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, model.SnippetRepository, 0, req.Params.Pagination, req.Params.Page, req.Params.PerPage,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListAllSnippetRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, s.show.SnippetStorageMove),
		Headers: gen.ListAllSnippetRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// CreateAllSnippetRepositoryStorageMoves schedules the move of all snippet repositories from one storage to others.
// POST /snippet_repository_storage_moves
func (s *StorageMoves) CreateAllSnippetRepositoryStorageMoves(
	ctx context.Context, req gen.CreateAllSnippetRepositoryStorageMovesRequestObject,
) (gen.CreateAllSnippetRepositoryStorageMovesResponseObject, error) {
	if err := s.scheduleAll(ctx, model.SnippetRepository, *req.Body); err != nil {
		return nil, err
	}
	return gen.CreateAllSnippetRepositoryStorageMoves202JSONResponse{Message: "202 Accepted"}, nil
}

// GetAllSnippetRepositoryStorageMove shows a storage move of any snippet repository.
// GET /snippet_repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetAllSnippetRepositoryStorageMove(
	ctx context.Context, req gen.GetAllSnippetRepositoryStorageMoveRequestObject,
) (gen.GetAllSnippetRepositoryStorageMoveResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	row, err := s.find(ctx, model.SnippetRepository, 0, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, err
	}
	return gen.GetAllSnippetRepositoryStorageMove200JSONResponse(s.show.SnippetStorageMove(row)), nil
}
