package projects

import (
	"context"
	"io"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store"
)

// ExportProject exports a project into an archive in the background.
// POST /projects/{id}/export
func (p *Projects) ExportProject(
	ctx context.Context, req gen.ExportProjectRequestObject,
) (gen.ExportProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ExportProject)
	if err != nil {
		return nil, err
	}
	var description *string
	if req.Body != nil {
		description = req.Body.Description
	}
	if err := p.exports.Export(ctx, row.Project, description); err != nil {
		return nil, err
	}
	return gen.ExportProject202JSONResponse{Message: "202 Accepted"}, nil
}

// GetProjectExport returns the state of the export of a project.
// GET /projects/{id}/export
func (p *Projects) GetProjectExport(
	ctx context.Context, req gen.GetProjectExportRequestObject,
) (gen.GetProjectExportResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ExportProject)
	if err != nil {
		return nil, err
	}
	e, err := p.exports.Current(ctx, row.Project.ID)
	if store.IsNotFound(err) {
		return gen.GetProjectExport200JSONResponse(present.ProjectExport(row.Project, nil, p.url)), nil
	}
	if err != nil {
		return nil, err
	}
	return gen.GetProjectExport200JSONResponse(present.ProjectExport(row.Project, &e, p.url)), nil
}

// GetProjectExportDownload downloads the export archive of a project.
// GET /projects/{id}/export/download
func (p *Projects) GetProjectExportDownload(
	ctx context.Context, req gen.GetProjectExportDownloadRequestObject,
) (gen.GetProjectExportDownloadResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ExportProject)
	if err != nil {
		return nil, err
	}
	e, err := p.exports.Current(ctx, row.Project.ID)
	if store.IsNotFound(err) || err == nil && e.Key == nil {
		return nil, apierr.NotThere("404 Not found or has expired")
	}
	if err != nil {
		return nil, err
	}
	if err := p.limitDownload(ctx, row.Project.ID); err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodGet { // audited because the archive has the whole project
		c := events.OfProject(row.Project, "project_export_downloaded", "Downloaded the export of project")
		if err := events.Audit(ctx, p.store, c); err != nil {
			return nil, err
		}
	}
	open := func(offset, length int64) (io.ReadCloser, error) { return p.exports.Open(ctx, e, offset, length) }
	return exportResponse{respond.Download(ctx, "application/octet-stream", e.Filename, e.SHA256, e.Size, open)}, nil
}

// exportResponse is the response that downloads an archive.
type exportResponse struct{ respond.Stream }

// VisitGetProjectExportDownloadResponse sends the archive.
func (s exportResponse) VisitGetProjectExportDownloadResponse(w http.ResponseWriter) error {
	return s.Send(w)
}
