package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListAllProjectRepositoryStorageMoves lists the storage moves of all project repositories.
// GET /project_repository_storage_moves
func (s *StorageMoves) ListAllProjectRepositoryStorageMoves(
	ctx context.Context, req gen.ListAllProjectRepositoryStorageMovesRequestObject,
) (gen.ListAllProjectRepositoryStorageMovesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, model.ProjectRepository, 0, req.Params.Pagination, req.Params.Page, req.Params.PerPage,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListAllProjectRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, present.ProjectStorageMove),
		Headers: gen.ListAllProjectRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// CreateAllProjectRepositoryStorageMoves schedules the move of all project repositories from one storage to others.
// POST /project_repository_storage_moves
func (s *StorageMoves) CreateAllProjectRepositoryStorageMoves(
	ctx context.Context, req gen.CreateAllProjectRepositoryStorageMovesRequestObject,
) (gen.CreateAllProjectRepositoryStorageMovesResponseObject, error) {
	if err := s.scheduleAll(ctx, model.ProjectRepository, *req.Body); err != nil {
		return nil, err
	}
	return gen.CreateAllProjectRepositoryStorageMoves202JSONResponse{Message: "202 Accepted"}, nil
}

// GetAllProjectRepositoryStorageMove shows a storage move of any project repository.
// GET /project_repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetAllProjectRepositoryStorageMove(
	ctx context.Context, req gen.GetAllProjectRepositoryStorageMoveRequestObject,
) (gen.GetAllProjectRepositoryStorageMoveResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	row, err := s.find(ctx, model.ProjectRepository, 0, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, err
	}
	return gen.GetAllProjectRepositoryStorageMove200JSONResponse(present.ProjectStorageMove(row)), nil
}
