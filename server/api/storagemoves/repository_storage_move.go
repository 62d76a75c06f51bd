package storagemoves

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/events"
	"svc/server/page"
	"svc/server/present"
	"svc/server/repos"
	"svc/store"
	"svc/store/model"
)

// ListAllProjectRepositoryStorageMoves lists the moves of repositories.
// GET /project_repository_storage_moves
func (s *StorageMoves) ListAllProjectRepositoryStorageMoves(ctx context.Context, req gen.ListAllProjectRepositoryStorageMovesRequestObject) (gen.ListAllProjectRepositoryStorageMovesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, 0, req.Params.Pagination, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListAllProjectRepositoryStorageMoves200JSONResponse{Body: rows, Headers: gen.ListAllProjectRepositoryStorageMoves200ResponseHeaders(headers)}, nil
}

// CreateAllProjectRepositoryStorageMove moves all repositories of projects from one storage to another.
// POST /project_repository_storage_moves
func (s *StorageMoves) CreateAllProjectRepositoryStorageMove(ctx context.Context, req gen.CreateAllProjectRepositoryStorageMoveRequestObject) (gen.CreateAllProjectRepositoryStorageMoveResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	job := repos.MoveAll{Source: req.Body.SourceStorageName}
	if req.Body.DestinationStorageName != nil {
		job.Destination = *req.Body.DestinationStorageName
	}
	switch {
	case !s.repos.Has(job.Source):
		return nil, apierr.BadParameter("source_storage_name does not have a valid value")
	case job.Destination != "" && (!s.repos.Has(job.Destination) || job.Destination == job.Source):
		return nil, apierr.BadParameter("destination_storage_name does not have a valid value")
	}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.queue(ctx, job); err != nil {
			return err
		}
		return s.events.Audit(ctx, events.Change{
			Type: "project_repository_moves_scheduled", Entity: events.Instance, Target: events.Target{Type: "Storage", ID: job.Source, Details: job.Source},
			Field: "repository_storage", From: job.Source, To: job.Destination,
		})
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateAllProjectRepositoryStorageMove202JSONResponse{Message: "202 Accepted"}, nil
}

// GetAllProjectRepositoryStorageMove shows a move of a repository.
// GET /project_repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetAllProjectRepositoryStorageMove(ctx context.Context, req gen.GetAllProjectRepositoryStorageMoveRequestObject) (gen.GetAllProjectRepositoryStorageMoveResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return nil, err
	}
	row, err := s.store.StorageMoves.One(ctx, 0, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, found(err)
	}
	return gen.GetAllProjectRepositoryStorageMove200JSONResponse(present.ProjectStorageMove(row)), nil
}

// ListProjectRepositoryStorageMoves lists the moves of the repository of a project.
// GET /projects/{id}/repository_storage_moves
func (s *StorageMoves) ListProjectRepositoryStorageMoves(ctx context.Context, req gen.ListProjectRepositoryStorageMovesRequestObject) (gen.ListProjectRepositoryStorageMovesResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, row.Project.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryStorageMoves200JSONResponse{Body: rows, Headers: gen.ListProjectRepositoryStorageMoves200ResponseHeaders(headers)}, nil
}

// CreateProjectRepositoryStorageMove moves the repository of a project to another storage.
// POST /projects/{id}/repository_storage_moves
func (s *StorageMoves) CreateProjectRepositoryStorageMove(ctx context.Context, req gen.CreateProjectRepositoryStorageMoveRequestObject) (gen.CreateProjectRepositoryStorageMoveResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	to := ""
	if req.Body != nil && req.Body.DestinationStorageName != nil {
		to = *req.Body.DestinationStorageName
	}
	if to != "" && !s.repos.Has(to) {
		return nil, apierr.Invalid("destination_storage_name", "is not included in the list")
	}
	m, err := s.repos.Schedule(ctx, row.Project, to, s.told(row.Project))
	switch {
	case errors.Is(err, repos.ErrSameStorage):
		return nil, apierr.Invalid("destination_storage_name", "is where the repository is already")
	case errors.Is(err, store.ErrReadOnly):
		return nil, apierr.Invalid("project", "is read-only")
	case err != nil:
		return nil, err
	}
	return gen.CreateProjectRepositoryStorageMove201JSONResponse(present.ProjectStorageMove(model.ProjectStorageMoveRow{Move: m, Project: row.Project})), nil
}

// GetProjectRepositoryStorageMove shows a move of the repository of a project.
// GET /projects/{id}/repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetProjectRepositoryStorageMove(ctx context.Context, req gen.GetProjectRepositoryStorageMoveRequestObject) (gen.GetProjectRepositoryStorageMoveResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.AdminProjectMove)
	if err != nil {
		return nil, err
	}
	row, err := s.store.StorageMoves.One(ctx, project.Project.ID, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, found(err)
	}
	return gen.GetProjectRepositoryStorageMove200JSONResponse(present.ProjectStorageMove(row)), nil
}

// list is one page of moves with its headers.
func (s *StorageMoves) list(ctx context.Context, projectID int64, pagination *gen.Pagination, number, size *int64) ([]gen.ProjectStorageMove, page.Headers, error) {
	if err := page.NoKeyset(pagination); err != nil {
		return nil, page.Headers{}, err
	}
	window, err := s.pages.Offset(ctx, kind, number, size)
	if err != nil {
		return nil, page.Headers{}, err
	}
	rows, total, err := s.store.StorageMoves.List(ctx, projectID, window.Page)
	if err != nil {
		return nil, page.Headers{}, err
	}
	return present.All(rows, present.ProjectStorageMove), window.Headers(total), nil
}
