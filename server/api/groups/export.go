package groups

import (
	"context"
	"io"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store"
	"svc/store/model"
)

// ExportGroup exports a group into an archive in the background.
// POST /groups/{id}/export
func (g *Groups) ExportGroup(
	ctx context.Context, req gen.ExportGroupRequestObject,
) (gen.ExportGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	if err := g.groups.Export(ctx, row); err != nil {
		return nil, err
	}
	return gen.ExportGroup202JSONResponse{Message: accepted}, nil
}

// GetGroupExportDownload downloads the export archive of a group.
// GET /groups/{id}/export/download
func (g *Groups) GetGroupExportDownload(
	ctx context.Context, req gen.GetGroupExportDownloadRequestObject,
) (gen.GetGroupExportDownloadResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	e, err := g.exports.Current(ctx, row.ID)
	switch {
	case store.IsNotFound(err), err == nil && e.State == model.ExportFailed:
		return nil, apierr.NotThere("404 Not found or has expired")
	case err != nil:
		return nil, err
	case e.Key == nil:
		return nil, apierr.NotThere("The group export file is not available yet")
	}
	if err := g.limitDownload(ctx, row.ID); err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodGet { // audited because the archive has email addresses
		c := events.OfGroup(row, "group_export_downloaded", "Downloaded the export of group")
		if err := events.Audit(ctx, g.store, c); err != nil {
			return nil, err
		}
	}
	open := func(offset, length int64) (io.ReadCloser, error) { return g.exports.Open(ctx, e, offset, length) }
	return exportResponse{respond.Download(ctx, "application/octet-stream", e.Filename, e.SHA256, e.Size, open)}, nil
}

// exportResponse is the response that downloads an archive.
type exportResponse struct{ respond.Stream }

// VisitGetGroupExportDownloadResponse sends the archive.
func (s exportResponse) VisitGetGroupExportDownloadResponse(w http.ResponseWriter) error {
	return s.Send(w)
}
