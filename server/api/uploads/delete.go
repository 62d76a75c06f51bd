package uploads

import (
	"context"

	"svc/gen"
	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// DeleteProjectUpload deletes an upload of a project.
// DELETE /projects/{id}/uploads/{upload_id}
func (u *Uploads) DeleteProjectUpload(
	ctx context.Context, req gen.DeleteProjectUploadRequestObject,
) (gen.DeleteProjectUploadResponseObject, error) {
	in, err := u.project(ctx, req.ID, access.DestroyUpload)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.Get(ctx, in, req.UploadID)
	return gen.DeleteProjectUpload204Response{}, u.delete(ctx, in, found, err, req.Params.IfUnmodifiedSince)
}

// DeleteProjectUploadBySecret deletes an upload of a project.
// DELETE /projects/{id}/uploads/{secret}/{filename}
func (u *Uploads) DeleteProjectUploadBySecret(
	ctx context.Context, req gen.DeleteProjectUploadBySecretRequestObject,
) (gen.DeleteProjectUploadBySecretResponseObject, error) {
	in, err := u.project(ctx, req.ID, access.DestroyUpload)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.GetBySecret(ctx, in, req.Secret, req.Filename)
	return gen.DeleteProjectUploadBySecret204Response{}, u.delete(ctx, in, found, err, req.Params.IfUnmodifiedSince)
}

// DeleteGroupUpload deletes an upload of a group.
// DELETE /groups/{id}/uploads/{upload_id}
func (u *Uploads) DeleteGroupUpload(
	ctx context.Context, req gen.DeleteGroupUploadRequestObject,
) (gen.DeleteGroupUploadResponseObject, error) {
	in, err := u.group(ctx, req.ID, access.DestroyGroupUpload)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.Get(ctx, in, req.UploadID)
	return gen.DeleteGroupUpload204Response{}, u.delete(ctx, in, found, err, req.Params.IfUnmodifiedSince)
}

// DeleteGroupUploadBySecret deletes an upload of a group.
// DELETE /groups/{id}/uploads/{secret}/{filename}
func (u *Uploads) DeleteGroupUploadBySecret(
	ctx context.Context, req gen.DeleteGroupUploadBySecretRequestObject,
) (gen.DeleteGroupUploadBySecretResponseObject, error) {
	in, err := u.group(ctx, req.ID, access.DestroyGroupUpload)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.GetBySecret(ctx, in, req.Secret, req.Filename)
	return gen.DeleteGroupUploadBySecret204Response{}, u.delete(ctx, in, found, err, req.Params.IfUnmodifiedSince)
}

// delete deletes an upload that was looked for. failed is why it was not found.
func (u *Uploads) delete(ctx context.Context, in upload.Owner, found model.Upload, failed error, since *gen.IfUnmodifiedSince) error {
	if failed != nil {
		return failed
	}
	return u.uploads.Delete(ctx, in, found, reqctx.UnmodifiedSince(since))
}
