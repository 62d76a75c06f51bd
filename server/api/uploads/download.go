package uploads

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"svc/gen"
	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// GetProjectUpload downloads an upload of a project by its id.
// GET /projects/{id}/uploads/{upload_id}
func (u *Uploads) GetProjectUpload(
	ctx context.Context, req gen.GetProjectUploadRequestObject,
) (gen.GetProjectUploadResponseObject, error) {
	in, err := u.project(ctx, req.ID, access.ReadUploads)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.Get(ctx, in, req.UploadID)
	return u.send(ctx, found), err
}

// GetProjectUploadBySecret downloads an upload of a project by its secret.
// GET /projects/{id}/uploads/{secret}/{filename}
func (u *Uploads) GetProjectUploadBySecret(
	ctx context.Context, req gen.GetProjectUploadBySecretRequestObject,
) (gen.GetProjectUploadBySecretResponseObject, error) {
	in, err := u.project(ctx, req.ID, access.ReadUpload)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.GetBySecret(ctx, in, req.Secret, req.Filename)
	return u.send(ctx, found), err
}

// GetGroupUpload downloads an upload of a group by its id.
// GET /groups/{id}/uploads/{upload_id}
func (u *Uploads) GetGroupUpload(
	ctx context.Context, req gen.GetGroupUploadRequestObject,
) (gen.GetGroupUploadResponseObject, error) {
	in, err := u.group(ctx, req.ID, access.ReadGroupUploads)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.Get(ctx, in, req.UploadID)
	return u.send(ctx, found), err
}

// GetGroupUploadBySecret downloads an upload of a group by its secret.
// GET /groups/{id}/uploads/{secret}/{filename}
func (u *Uploads) GetGroupUploadBySecret(
	ctx context.Context, req gen.GetGroupUploadBySecretRequestObject,
) (gen.GetGroupUploadBySecretResponseObject, error) {
	in, err := u.group(ctx, req.ID, access.ReadGroupUpload)
	if err != nil {
		return nil, err
	}
	found, err := u.uploads.GetBySecret(ctx, in, req.Secret, req.Filename)
	return u.send(ctx, found), err
}

// GetUploadOfProject downloads an upload of a project by its address.
// GET /-/project/{id}/uploads/{secret}/{filename}
func (u *Uploads) GetUploadOfProject(
	ctx context.Context, req gen.GetUploadOfProjectRequestObject,
) (gen.GetUploadOfProjectResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUploadAddress); err != nil {
		return nil, err
	}
	owner := upload.Owner{ResourceOwner: store.ResourceOwner{ProjectID: &req.ID}}
	found, err := u.uploads.GetBySecret(ctx, owner, req.Secret, req.Filename)
	if err != nil {
		return nil, err
	}
	open, err := u.isOpen(ctx, found)
	if err == nil && !open {
		_, err = u.access.Project(ctx, strconv.FormatInt(req.ID, 10), access.ReadUpload)
	}
	if err != nil {
		return nil, hidden(err)
	}
	return u.send(ctx, found), nil
}

// isOpen reports whether everybody who knows the address of a file of a project may read it: pictures and films, unless
// the project is not public and asks for a check.
func (u *Uploads) isOpen(ctx context.Context, found model.Upload) (bool, error) {
	if !upload.IsPictureOrFilm(found.Filename) {
		return false, nil
	}
	row, err := u.store.Projects.Get(ctx, *found.ProjectID, "", nil)
	return err == nil && (row.Project.Visibility == model.Public || !row.Project.EnforceAuthChecksOnUploads), err
}

// GetUploadOfGroup downloads an upload of a group by its address. Everybody who knows the address of a picture or film
// may read it.
// GET /-/group/{id}/uploads/{secret}/{filename}
func (u *Uploads) GetUploadOfGroup(
	ctx context.Context, req gen.GetUploadOfGroupRequestObject,
) (gen.GetUploadOfGroupResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUploadAddress); err != nil {
		return nil, err
	}
	owner := upload.Owner{ResourceOwner: store.ResourceOwner{GroupID: &req.ID}}
	found, err := u.uploads.GetBySecret(ctx, owner, req.Secret, req.Filename)
	if err == nil && !upload.IsPictureOrFilm(found.Filename) {
		_, _, err = u.access.Group(ctx, strconv.FormatInt(req.ID, 10), access.ReadGroupUpload)
	}
	if err != nil {
		return nil, hidden(err)
	}
	return u.send(ctx, found), nil
}

// hidden gives every refusal the same answer as an unknown address.
func hidden(err error) error {
	var refused *apierr.Error
	if store.IsNotFound(err) || errors.As(err, &refused) && refused.Status < http.StatusInternalServerError {
		return apierr.NotFound("")
	}
	return err
}
