package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ProjectImport presents the import of a project.
func ProjectImport(p model.Project) gen.ProjectImport {
	return gen.ProjectImport{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.FullName, Path: p.Path,
		PathWithNamespace: p.FullPath, CreatedAt: wire.NewTime(p.CreatedAt), ImportStatus: gen.ImportStatus(p.ImportStatus),
		ImportType: p.ImportType, ImportURL: p.ImportURL, ImportError: p.ImportError, FailedRelations: []gen.FailedRelation{},
	}
}
