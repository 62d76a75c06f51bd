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

// ListAllProjectRepositoryStorageMoves lists the storage moves of all project repositories.
// GET /project_repository_storage_moves
func (s *StorageMoves) ListAllProjectRepositoryStorageMoves(
	ctx context.Context, req gen.ListAllProjectRepositoryStorageMovesRequestObject,
) (gen.ListAllProjectRepositoryStorageMovesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, model.ProjectRepository, 0, req.Params.Pagination, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListAllProjectRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, present.ProjectStorageMove),
		Headers: gen.ListAllProjectRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// CreateAllProjectRepositoryStorageMove schedules the move of all project repositories from one storage to others.
// POST /project_repository_storage_moves
func (s *StorageMoves) CreateAllProjectRepositoryStorageMove(
	ctx context.Context, req gen.CreateAllProjectRepositoryStorageMoveRequestObject,
) (gen.CreateAllProjectRepositoryStorageMoveResponseObject, error) {
	if err := s.scheduleAll(ctx, model.ProjectRepository, *req.Body); err != nil {
		return nil, err
	}
	return gen.CreateAllProjectRepositoryStorageMove202JSONResponse{Message: "202 Accepted"}, nil
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

// ListProjectRepositoryStorageMoves lists the storage moves of a project's repository.
// GET /projects/{id}/repository_storage_moves
func (s *StorageMoves) ListProjectRepositoryStorageMoves(
	ctx context.Context, req gen.ListProjectRepositoryStorageMovesRequestObject,
) (gen.ListProjectRepositoryStorageMovesResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, model.ProjectRepository, row.Project.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, present.ProjectStorageMove),
		Headers: gen.ListProjectRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// CreateProjectRepositoryStorageMove schedules the move of a project's repository to another storage.
// POST /projects/{id}/repository_storage_moves
func (s *StorageMoves) CreateProjectRepositoryStorageMove(
	ctx context.Context, req gen.CreateProjectRepositoryStorageMoveRequestObject,
) (gen.CreateProjectRepositoryStorageMoveResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	from := row.Project.RepositoryStorage
	m, err := s.schedule(ctx, lifecycle.Owner{Kind: model.ProjectRepository, ID: row.Project.ID}, from, req.Body, "project", events.Change{
		Type: "project_repository_move_scheduled", Entity: events.Project(row.Project),
		Target: events.Target{Type: "Project", ID: row.Project.ID, Details: row.Project.FullPath},
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryStorageMove201JSONResponse(
		present.ProjectStorageMove(model.StorageMoveRow{Move: m, Project: row.Project}),
	), nil
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
