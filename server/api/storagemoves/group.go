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

// CreateGroupRepositoryStorageMove schedules the move of a group's wiki repository to another storage.
// POST /groups/{id}/repository_storage_moves
func (s *StorageMoves) CreateGroupRepositoryStorageMove(
	ctx context.Context, req gen.CreateGroupRepositoryStorageMoveRequestObject,
) (gen.CreateGroupRepositoryStorageMoveResponseObject, error) {
	group, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	from, err := s.wikiStorage(ctx, group)
	if err != nil {
		return nil, err
	}
	repository := lifecycle.Owner{Kind: model.GroupWikiRepository, ID: group.ID}
	m, err := s.schedule(ctx, repository, from, req.Body, "group", events.Change{
		Type: "group_repository_move_scheduled", Entity: events.Group(group), Target: events.Group(group).AsTarget(),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupRepositoryStorageMove201JSONResponse(
		s.show.GroupStorageMove(model.StorageMoveRow{Move: m, Group: group}),
	), nil
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

// wikiStorage returns the storage of a group's wiki. If the wiki was never written to, it gets its row now.
func (s *StorageMoves) wikiStorage(ctx context.Context, group model.Namespace) (string, error) {
	if err := s.store.OtherRepositories.CreateGroupWiki(ctx, group.ID); err != nil {
		return "", err
	}
	return s.store.StorageMoves.Storage(ctx, model.GroupWikiRepository, group.ID)
}
