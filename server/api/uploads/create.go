package uploads

import (
	"context"
	"mime/multipart"

	"svc/gen"
	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/formdata"
)

// CreateProjectUpload uploads a file to a project.
// POST /projects/{id}/uploads
func (u *Uploads) CreateProjectUpload(
	ctx context.Context, req gen.CreateProjectUploadRequestObject,
) (gen.CreateProjectUploadResponseObject, error) {
	in, err := u.project(ctx, req.ID, access.CreateUpload)
	if err != nil {
		return nil, err
	}
	shown, err := u.create(ctx, in, req.Body)
	return gen.CreateProjectUpload201JSONResponse(shown), err
}

// CreateGroupUpload uploads a file to a group.
// POST /groups/{id}/uploads
func (u *Uploads) CreateGroupUpload(
	ctx context.Context, req gen.CreateGroupUploadRequestObject,
) (gen.CreateGroupUploadResponseObject, error) {
	in, err := u.group(ctx, req.ID, access.CreateGroupUpload)
	if err != nil {
		return nil, err
	}
	shown, err := u.create(ctx, in, req.Body)
	return gen.CreateGroupUpload201JSONResponse(shown), err
}

// create stores the file of a request and presents it.
func (u *Uploads) create(ctx context.Context, in upload.Owner, body *multipart.Reader) (gen.UploadedFile, error) {
	file, err := formdata.File(body)
	if err == nil && file.FileName() == "" {
		err = apierr.BadParameter("file is invalid")
	}
	if err != nil {
		return gen.UploadedFile{}, err
	}
	made, err := u.uploads.Put(ctx, in, file.FileName(), file)
	address := upload.Address(made)
	return gen.UploadedFile{
		ID: made.ID, Alt: upload.Alt(made.Filename), URL: address, FullPath: upload.FullPath(made),
		Markdown: upload.Markdown(made.Filename, address),
	}, err
}
