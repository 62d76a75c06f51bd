package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListGroupRepositoryStorageMoves lists the storage moves of a group's wiki repository.
// GET /groups/{id}/repository_storage_moves
func (s *StorageMoves) ListGroupRepositoryStorageMoves(
	ctx context.Context, req gen.ListGroupRepositoryStorageMovesRequestObject,
) (gen.ListGroupRepositoryStorageMovesResponseObject, error) {
	group, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(
		ctx, model.GroupWikiRepository, group.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupRepositoryStorageMoves200JSONResponse{
		Body:    present.All(rows, s.show.GroupStorageMove),
		Headers: gen.ListGroupRepositoryStorageMoves200ResponseHeaders(headers),
	}, nil
}

// GetGroupRepositoryStorageMove shows a storage move of a group's wiki repository.
// GET /groups/{id}/repository_storage_moves/{repository_storage_move_id}
func (s *StorageMoves) GetGroupRepositoryStorageMove(
	ctx context.Context, req gen.GetGroupRepositoryStorageMoveRequestObject,
) (gen.GetGroupRepositoryStorageMoveResponseObject, error) {
	group, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	found, err := s.find(ctx, model.GroupWikiRepository, group.ID, req.RepositoryStorageMoveID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupRepositoryStorageMove200JSONResponse(s.show.GroupStorageMove(found)), nil
}

// group returns any group. The caller must be an administrator.
func (s *StorageMoves) group(ctx context.Context, ref string) (model.Namespace, error) {
	if err := s.mayMoveGroups(ctx); err != nil {
		return model.Namespace{}, err
	}
	g, _, err := s.access.Group(ctx, ref, access.ReadGroup)
	return g, err
}
