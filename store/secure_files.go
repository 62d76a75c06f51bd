package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// SecureFiles holds the files of projects that jobs need and that must not be in the repository.
type SecureFiles struct{ *base }

const (
	secureFile = "Secure File"

	// secureFileFacts are the columns of a file without its contents.
	secureFileFacts = "id, project_id, name, size, checksum, metadata, expires_at, created_by_id, created_at, updated_at"
)

// List returns one page of the files of a project without their contents, the oldest first.
func (s SecureFiles) List(ctx context.Context, projectID int64, p Page) ([]model.SecureFile, Total, error) {
	q := s.db.Read(ctx).Select(secureFileFacts).Where("project_id = ?", projectID).Order("id")
	return query.List[model.SecureFile](q, p)
}

// Get returns a file of a project without its contents.
func (s SecureFiles) Get(ctx context.Context, projectID, id int64) (model.SecureFile, error) {
	q := s.db.Read(ctx).Select(secureFileFacts).Where("project_id = ? AND id = ?", projectID, id)
	return query.Take[model.SecureFile](q, secureFile)
}

// GetWhole returns a file of a project with its contents.
func (s SecureFiles) GetWhole(ctx context.Context, projectID, id int64) (model.SecureFile, error) {
	return query.Take[model.SecureFile](s.db.Read(ctx).Where("project_id = ? AND id = ?", projectID, id), secureFile)
}

// Create adds a file. It returns a *LimitError if the project already has most files, and a *ConflictError if it has one
// with this name.
func (s SecureFiles) Create(ctx context.Context, f *model.SecureFile, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "secure files of project "+strconv.FormatInt(f.ProjectID, 10)); err != nil {
			return err
		}
		var n int64
		if err := s.db.Write(ctx).Model(&model.SecureFile{}).Where("project_id = ?", f.ProjectID).Count(&n).Error; err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(f).Error)
	})
}

// Delete removes a file, unless it was created after the given time.
func (s SecureFiles) Delete(ctx context.Context, f model.SecureFile, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, f, secureFile, unchangedSince)
}
