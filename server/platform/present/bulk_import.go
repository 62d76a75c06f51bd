package present

import (
	"encoding/json"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// BulkImport presents an import from another instance.
func BulkImport(i model.BulkImport) gen.BulkImport {
	return gen.BulkImport{
		ID: i.ID, Status: gen.BulkImportStatus(i.Status), SourceType: "gitlab", SourceURL: i.SourceURL,
		CreatedAt: wire.NewTime(i.CreatedAt), UpdatedAt: wire.NewTime(i.UpdatedAt), HasFailures: i.HasFailures,
	}
}

// BulkImportEntity presents a group or project of an import from another instance.
func BulkImportEntity(row model.BulkImportEntityRow) gen.BulkImportEntity {
	e, stats := row.Entity, map[string]gen.BulkImportStats{}
	_ = json.Unmarshal([]byte(e.Stats), &stats) // the service writes it
	return gen.BulkImportEntity{
		ID: e.ID, BulkImportID: e.BulkImportID, Status: gen.BulkImportStatus(e.Status), EntityType: gen.BulkImportEntityType(e.EntityType),
		SourceFullPath: e.SourceFullPath, DestinationFullPath: strings.Trim(e.DestinationNamespace+"/"+e.DestinationSlug, "/"),
		DestinationName: e.DestinationSlug, DestinationSlug: e.DestinationSlug, DestinationNamespace: e.DestinationNamespace,
		ParentID: e.ParentID, NamespaceID: e.NamespaceID, ProjectID: e.ProjectID, CreatedAt: wire.NewTime(e.CreatedAt),
		UpdatedAt: wire.NewTime(e.UpdatedAt), Failures: All(row.Failures, BulkImportFailure), MigrateProjects: e.MigrateProjects,
		MigrateMemberships: e.MigrateMemberships, HasFailures: e.HasFailures, Stats: stats,
	}
}

// BulkImportFailure presents something that could not be copied.
func BulkImportFailure(f model.BulkImportFailure) gen.BulkImportFailure {
	return gen.BulkImportFailure{
		Relation: f.Relation, ExceptionMessage: f.ExceptionMessage, ExceptionClass: f.ExceptionClass,
		CorrelationIDValue: strconv.FormatInt(f.ID, 10), SourceURL: f.SourceURL, SourceTitle: f.SourceTitle,
		CreatedAt: wire.NewTime(f.CreatedAt),
	}
}
