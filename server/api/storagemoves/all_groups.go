package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListAllGroupRepositoryStorageMoves lists the storage moves of all group wiki repositories.
// GET /group_repository_storage_moves
func (s *StorageMoves) ListAllGroupRepositoryStorageMoves(
	ctx context.Context, req gen.ListAllGroupRepositoryStorageMovesRequestObject,
) (gen.ListAllGroupRepositoryStorageMovesResponseObject, error) {
	if err := s.mayMoveGroups(ctx); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, model.GroupWikiRepository, 0, req.Params.Pagination, req.Params.Page, req.Params.PerPage,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListAllGroupRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, s.show.GroupStorageMove),
		Headers: gen.ListAllGroupRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// CreateAllGroupRepositoryStorageMoves schedules the move of all group wiki repositories from one storage to others.
// POST /group_repository_storage_moves
func (s *StorageMoves) CreateAllGroupRepositoryStorageMoves(
	ctx context.Context, req gen.CreateAllGroupRepositoryStorageMovesRequestObject,
) (gen.CreateAllGroupRepositoryStorageMovesResponseObject, error) {
	if err := s.mayMoveGroups(ctx); err != nil {
		return nil, err
	}
	if err := s.scheduleAll(ctx, model.GroupWikiRepository, *req.Body); err != nil {
		return nil, err
	}
	return gen.CreateAllGroupRepositoryStorageMoves202JSONResponse{Message: "202 Accepted"}, nil
}

// GetAllGroupRepositoryStorageMove shows a storage move of any group wiki repository.
// GET /group_repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetAllGroupRepositoryStorageMove(
	ctx context.Context, req gen.GetAllGroupRepositoryStorageMoveRequestObject,
) (gen.GetAllGroupRepositoryStorageMoveResponseObject, error) {
	if err := s.mayMoveGroups(ctx); err != nil {
		return nil, err
	}
	row, err := s.find(ctx, model.GroupWikiRepository, 0, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, err
	}
	return gen.GetAllGroupRepositoryStorageMove200JSONResponse(s.show.GroupStorageMove(row)), nil
}

// mayMoveGroups returns an error unless the caller is an administrator and the tier has group moves.
func (s *StorageMoves) mayMoveGroups(ctx context.Context) error {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return err
	}
	if !s.show.Paid {
		return apierr.TierTooLow()
	}
	return nil
}
