package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ProjectStorageMove presents the move of a repository.
func ProjectStorageMove(row model.StorageMoveRow) gen.ProjectStorageMove {
	m := row.Move
	return gen.ProjectStorageMove{
		ID: m.ID, CreatedAt: wire.NewTime(m.CreatedAt), State: gen.StorageMoveState(m.State),
		SourceStorageName: m.SourceStorage, DestinationStorageName: m.DestinationStorage,
		ErrorMessage: m.Error, Project: ProjectIdentity(row.Project),
	}
}

// SnippetStorageMove presents the move of a snippet's repository, to administrators.
func (p Presenter) SnippetStorageMove(row model.StorageMoveRow) gen.SnippetStorageMove {
	m := row.Move
	return gen.SnippetStorageMove{
		ID: m.ID, CreatedAt: wire.NewTime(m.CreatedAt), State: gen.StorageMoveState(m.State),
		SourceStorageName: m.SourceStorage, DestinationStorageName: m.DestinationStorage,
		ErrorMessage: m.Error, Snippet: p.Snippet(true)(row.Snippet),
	}
}

// GroupStorageMove presents the move of the wiki repository of a group.
func (p Presenter) GroupStorageMove(row model.StorageMoveRow) gen.GroupStorageMove {
	m := row.Move
	return gen.GroupStorageMove{
		ID: m.ID, CreatedAt: wire.NewTime(m.CreatedAt), State: gen.StorageMoveState(m.State),
		SourceStorageName: m.SourceStorage, DestinationStorageName: m.DestinationStorage,
		ErrorMessage: m.Error,
		Group:        gen.MovedGroup{ID: row.Group.ID, Name: row.Group.Name, WebURL: p.Base + "/groups/" + row.Group.FullPath},
	}
}
