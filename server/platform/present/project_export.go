package present

import (
	"fmt"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ProjectExport presents the export of a project, or that there is none. url is that of the service.
func ProjectExport(p model.Project, e *model.ProjectExport, url string) gen.ProjectExport {
	shown := gen.ProjectExport{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.FullName, Path: p.Path,
		PathWithNamespace: p.FullPath, CreatedAt: wire.NewTime(p.CreatedAt), ExportStatus: gen.ProjectExportExportStatusNone,
	}
	if e == nil {
		return shown
	}
	switch e.State {
	case model.ExportScheduled:
		shown.ExportStatus = gen.ProjectExportExportStatusQueued
	case model.ExportStarted:
		shown.ExportStatus = gen.ProjectExportExportStatusStarted
	case model.ExportFailed:
		shown.ExportStatus = gen.ProjectExportExportStatusFailed
	default:
		shown.ExportStatus = gen.ProjectExportExportStatusFinished
		at := fmt.Sprintf("%s/api/v4/projects/%d/export/download", url, p.ID)
		shown.UnderscoreLinks = &gen.ProjectExportLinks{APIURL: at, WebURL: at}
	}
	return shown
}
