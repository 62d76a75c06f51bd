package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Uploads holds the files that users attach to texts of projects and groups.
type Uploads struct{ *base }

const upload = "Upload"

// Create adds a file that was announced with ScheduleBlobRemoval. It returns a *NotFoundError if the project or group is
// gone.
func (s Uploads) Create(ctx context.Context, u *model.Upload) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.cancelBlobRemoval(ctx, u.Key); err != nil {
			return err
		}
		err := s.db.Write(ctx).Create(u).Error
		if query.IsGone(err) {
			return &NotFoundError{Resource: upload}
		}
		return query.Translate(err)
	})
}

// List returns one page of the uploads of a project or group, newest first, with the users who made them.
func (s Uploads) List(ctx context.Context, in ResourceOwner, p Page) ([]model.UploadRow, Total, error) {
	q := in.whereOwned(s.db.Read(ctx)).
		Select("uploads.*, uploader.id AS uploader_id, uploader.username AS uploader_username, uploader.name AS uploader_name").
		Joins("LEFT JOIN users uploader ON uploader.id = uploads.uploaded_by_id").
		Order("uploads.created_at DESC").Order("uploads.id DESC")
	return query.ListFiltered[model.UploadRow](q, p)
}

// Get returns an upload of a project or group by its id.
func (s Uploads) Get(ctx context.Context, in ResourceOwner, id int64) (model.Upload, error) {
	return query.Take[model.Upload](in.whereOwned(s.db.Read(ctx)).Where("uploads.id = ?", id), upload)
}

// GetBySecret returns an upload of a project or group by its secret and file name.
func (s Uploads) GetBySecret(ctx context.Context, in ResourceOwner, secret, filename string) (model.Upload, error) {
	return query.Take[model.Upload](in.whereOwned(s.db.Read(ctx)).Where("secret = ? AND filename = ?", secret, filename), upload)
}

// Delete removes an upload, unless it was made after the given time. Its bytes are removed soon after.
func (s Uploads) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Upload](ctx, s.db, upload, unchangedSince, "id = ?", id)
}
