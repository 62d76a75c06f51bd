package uploads

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
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
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectUpload204Response{}, u.uploads.Delete(ctx, in, found, since)
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
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectUploadBySecret204Response{}, u.uploads.Delete(ctx, in, found, since)
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
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupUpload204Response{}, u.uploads.Delete(ctx, in, found, since)
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
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupUploadBySecret204Response{}, u.uploads.Delete(ctx, in, found, since)
}
