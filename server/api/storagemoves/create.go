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
	repository := lifecycle.Owner{Kind: model.ProjectRepository, ID: row.Project.ID}
	m, err := s.schedule(ctx, repository, from, req.Body, "project", lifecycle.ProjectMoveChange(row.Project))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryStorageMove201JSONResponse(
		present.ProjectStorageMove(model.StorageMoveRow{Move: m, Project: row.Project}),
	), nil
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

// CreateSnippetRepositoryStorageMove schedules the move of a snippet's repository to another storage.
// POST /snippets/{id}/repository_storage_moves
func (s *StorageMoves) CreateSnippetRepositoryStorageMove(
	ctx context.Context, req gen.CreateSnippetRepositoryStorageMoveRequestObject,
) (gen.CreateSnippetRepositoryStorageMoveResponseObject, error) {
	row, err := s.snippet(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	from := row.Snippet.RepositoryStorage
	repository := lifecycle.Owner{Kind: model.SnippetRepository, ID: row.Snippet.ID}
	m, err := s.schedule(ctx, repository, from, req.Body, "snippet", events.Change{
		Type: "snippet_repository_move_scheduled", Entity: events.Snippet(row),
		Target: events.Target{Type: "Snippet", ID: row.Snippet.ID, Details: row.Snippet.Title},
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateSnippetRepositoryStorageMove201JSONResponse(
		s.show.SnippetStorageMove(model.StorageMoveRow{Move: m, Snippet: row}),
	), nil
}

// wikiStorage returns the storage of a group's wiki. If the wiki was never written to, it gets its row now.
func (s *StorageMoves) wikiStorage(ctx context.Context, group model.Namespace) (string, error) {
	if err := s.store.OtherRepositories.CreateGroupWiki(ctx, group.ID); err != nil {
		return "", err
	}
	return s.store.StorageMoves.Storage(ctx, model.GroupWikiRepository, group.ID)
}
