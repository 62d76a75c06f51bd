package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectRepositoryStorageMoves lists the storage moves of a project's repository.
// GET /projects/{id}/repository_storage_moves
func (s *StorageMoves) ListProjectRepositoryStorageMoves(
	ctx context.Context, req gen.ListProjectRepositoryStorageMovesRequestObject,
) (gen.ListProjectRepositoryStorageMovesResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, model.ProjectRepository, row.Project.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, present.ProjectStorageMove),
		Headers: gen.ListProjectRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// GetProjectRepositoryStorageMove shows a storage move of a project's repository.
// GET /projects/{id}/repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetProjectRepositoryStorageMove(
	ctx context.Context, req gen.GetProjectRepositoryStorageMoveRequestObject,
) (gen.GetProjectRepositoryStorageMoveResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	found, err := s.find(ctx, model.ProjectRepository, row.Project.ID, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryStorageMove200JSONResponse(present.ProjectStorageMove(found)), nil
}
