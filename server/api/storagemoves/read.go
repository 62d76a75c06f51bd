package storagemoves

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store/model"
)

// paginationKinds names the lists of moves for pagination.
var paginationKinds = map[model.RepositoryKind]pagination.Kind{
	model.ProjectRepository:   {Name: "Projects::RepositoryStorageMove"},
	model.SnippetRepository:   {Name: "Snippets::RepositoryStorageMove"},
	model.GroupWikiRepository: {Name: "Groups::RepositoryStorageMove"},
}

// list returns one page of moves and its headers. Owner 0 stands for all owners.
func (s *StorageMoves) list(
	ctx context.Context, kind model.RepositoryKind, owner int64, paging *gen.Pagination, number, size *int64,
) ([]model.StorageMoveRow, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := s.pages.Offset(ctx, paginationKinds[kind], number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.StorageMoves.List(ctx, kind, owner, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return rows, window.Headers(total), nil
}

// find returns a move. Owner 0 stands for any owner.
func (s *StorageMoves) find(
	ctx context.Context, kind model.RepositoryKind, owner, id int64,
) (model.StorageMoveRow, error) {
	row, err := s.store.StorageMoves.GetWithOwner(ctx, kind, owner, id)
	return row, apierr.OrNotFound(err)
}
