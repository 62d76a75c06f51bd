package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ProjectImport presents the import of a project, with the records that could not be imported.
func ProjectImport(p model.Project, failures []model.ProjectImportFailure) gen.ProjectImport {
	shown := gen.ProjectImport{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.FullName, Path: p.Path,
		PathWithNamespace: p.FullPath, CreatedAt: wire.NewTime(p.CreatedAt), ImportStatus: gen.ImportStatus(p.ImportStatus),
		ImportType: p.ImportType, ImportURL: p.ImportURL, ImportError: p.ImportError, FailedRelations: []gen.FailedRelation{},
	}
	for _, f := range failures {
		shown.FailedRelations = append(shown.FailedRelations, gen.FailedRelation{
			ID: f.ID, CreatedAt: wire.NewTime(f.CreatedAt), ExceptionClass: "InvalidRecord", ExceptionMessage: f.Message, Source: "import",
			RelationName: f.Relation, LineNumber: f.Line,
		})
	}
	return shown
}
