package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ProjectStorageMove shows the move of a repository.
func ProjectStorageMove(row model.ProjectStorageMoveRow) gen.ProjectStorageMove {
	m := row.Move
	return gen.ProjectStorageMove{
		ID: m.ID, CreatedAt: wire.NewTime(m.CreatedAt), State: gen.StorageMoveState(m.State), SourceStorageName: m.SourceStorage, DestinationStorageName: m.DestinationStorage,
		ErrorMessage: m.Error, Project: ConfigProject(row.Project),
	}
}
