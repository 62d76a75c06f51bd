package groups

import (
	"context"
	"io"
	"mime"
	"net/http"
	"time"

	"svc/gen"
	"svc/server/domain/ci/download"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ExportGroup has a group written into an archive.
// POST /groups/{id}/export
func (g *Groups) ExportGroup(ctx context.Context, req gen.ExportGroupRequestObject) (gen.ExportGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, g.store, func(ctx context.Context) (events.Change, error) {
		return itself(row, "group_export_scheduled", "Had group exported"), g.parcels.Export(ctx, row, reqctx.Of(ctx).Actor.User.ID)
	})
	if err != nil {
		return nil, err
	}
	return gen.ExportGroup202JSONResponse{Message: accepted}, nil
}

// accepted says that something happens in the background.
const accepted = "202 Accepted"

// GetGroupExportDownload sends the archive of a group.
// GET /groups/{id}/export/download
func (g *Groups) GetGroupExportDownload(ctx context.Context, req gen.GetGroupExportDownloadRequestObject) (gen.GetGroupExportDownloadResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ExportGroup)
	if err != nil {
		return nil, err
	}
	e, err := g.store.GroupExports.Of(ctx, row.ID)
	switch {
	case store.IsNotFound(err), err == nil && (e.State == model.ParcelFailed || e.ExpiresAt.Before(time.Now())):
		return nil, missing("404 Not found or has expired")
	case err != nil:
		return nil, err
	case e.Key == nil:
		return nil, missing("The group export file is not available yet")
	}
	if err := g.counted(ctx, row.ID); err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodGet { // it holds addresses
		if err := events.Audit(ctx, g.store, itself(row, "group_export_downloaded", "Downloaded the export of group")); err != nil {
			return nil, err
		}
	}
	return sent{ctx, download.File{
		Type: "application/octet-stream", Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": e.Filename}), Size: e.Size, Tag: `"` + e.SHA256 + `"`,
		Open: func(offset, length int64) (io.ReadCloser, error) { return g.parcels.Open(ctx, e, offset, length) },
	}}, nil
}

// missing is what is not there, told in the words of the contract.
func missing(text string) error {
	e := &apierr.Error{Status: http.StatusNotFound}
	e.Body.Message = text
	return e
}

// sent is an archive on its way.
type sent struct {
	ctx  context.Context // the generated method has none
	file download.File
}

// VisitGetGroupExportDownloadResponse sends it.
func (s sent) VisitGetGroupExportDownloadResponse(w http.ResponseWriter) error {
	return s.file.Send(s.ctx, w)
}
