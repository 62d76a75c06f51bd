package uploads

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectUploads lists the uploads of a project.
// GET /projects/{id}/uploads
func (u *Uploads) ListProjectUploads(
	ctx context.Context, req gen.ListProjectUploadsRequestObject,
) (gen.ListProjectUploadsResponseObject, error) {
	in, err := u.project(ctx, req.ID, access.ReadUploads)
	if err != nil {
		return nil, err
	}
	rows, headers, err := u.list(ctx, in, req.Params)
	return gen.ListProjectUploads200JSONResponse{Body: rows, Headers: gen.ListProjectUploads200ResponseHeaders(headers)}, err
}

// ListGroupUploads lists the uploads of a group.
// GET /groups/{id}/uploads
func (u *Uploads) ListGroupUploads(
	ctx context.Context, req gen.ListGroupUploadsRequestObject,
) (gen.ListGroupUploadsResponseObject, error) {
	in, err := u.group(ctx, req.ID, access.ReadGroupUploads)
	if err != nil {
		return nil, err
	}
	rows, headers, err := u.list(ctx, in, gen.ListProjectUploadsParams(req.Params))
	return gen.ListGroupUploads200JSONResponse{Body: rows, Headers: gen.ListGroupUploads200ResponseHeaders(headers)}, err
}

// list returns one page of the uploads of a project or group.
func (u *Uploads) list(
	ctx context.Context, in upload.Owner, q gen.ListProjectUploadsParams,
) ([]gen.Upload, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, u.pages, "Upload", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := u.store.Uploads.List(ctx, in.ResourceOwner, window.Page)
	return present.All(rows, presentUpload), window.Headers(total), err
}

func presentUpload(row model.UploadRow) gen.Upload {
	shown := gen.Upload{
		ID: row.Upload.ID, Size: row.Upload.Size, Filename: row.Upload.Filename, CreatedAt: wire.NewTime(row.Upload.CreatedAt),
	}
	if by := row.Uploader; by.ID != nil {
		shown.UploadedBy = &gen.UploadUser{ID: *by.ID, Name: wire.Value(by.Name), Username: wire.Value(by.Username)}
	}
	return shown
}
