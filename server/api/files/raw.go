package files

import (
	"context"
	"io"
	"mime"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/respond"
)

// GetProjectRepositoryFileRaw downloads the content of a file.
// GET /projects/{id}/repository/files/{file_path}/raw
func (f *Files) GetProjectRepositoryFileRaw(
	ctx context.Context, req gen.GetProjectRepositoryFileRawRequestObject,
) (gen.GetProjectRepositoryFileRawResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	found, err := f.find(ctx, row, req.FilePath, wire.Value(req.Params.Ref))
	if err != nil {
		return nil, err
	}
	if req.Params.Lfs != nil && *req.Params.Lfs {
		if large, err := f.openLFSObject(ctx, row.Project, found); err != nil || large != nil {
			return large, err
		}
	}
	return rawResponse{ctx, found}, nil
}

// rawResponse is the response with the content of a file.
type rawResponse struct {
	ctx  context.Context // a field, because the generated method has no context parameter
	file file
}

// VisitGetProjectRepositoryFileRawResponse writes the response.
func (a rawResponse) VisitGetProjectRepositoryFileRawResponse(w http.ResponseWriter) error {
	a.file.headers(w.Header())
	return a.file.stream(a.ctx).Send(w)
}

// stream returns the response with the content of the file. A browser shows the content as text and does not run it.
func (f file) stream(ctx context.Context) respond.Stream {
	return respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8",
		Disposition:  mime.FormatMediaType("inline", map[string]string{"filename": f.name()}),
		CacheControl: respond.NoCache, ETag: `"` + f.entry.ID + `"`, Size: f.size, Sandboxed: true,
		Write: func(to io.Writer) error { return f.copyTo(ctx, to) },
	}
}
