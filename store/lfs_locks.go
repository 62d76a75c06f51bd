package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// LfsLocks holds the locks of users on files.
type LfsLocks struct{ *base }

const lfsLock = "Lock"

// LfsLockFilter narrows a list of locks.
type LfsLockFilter struct {
	ID    int64  // 0 for any
	Path  string // empty for any
	After int64  // the id of the last one seen
}

// List returns at most the given number of locks of a project, the oldest first.
func (s LfsLocks) List(ctx context.Context, projectID int64, f LfsLockFilter, most int) ([]model.LfsLockRow, error) {
	q := s.rows(ctx, projectID).Where("lfs_locks.id > ?", f.After)
	if f.ID != 0 {
		q = q.Where("lfs_locks.id = ?", f.ID)
	}
	if f.Path != "" {
		q = q.Where("lfs_locks.path = ?", f.Path)
	}
	rows, err := query.Find[model.LfsLockRow](q.Order("lfs_locks.id").Limit(most), most)
	return rows, query.Translate(err)
}

// Get returns a lock of a project.
func (s LfsLocks) Get(ctx context.Context, projectID, id int64) (model.LfsLockRow, error) {
	return query.Take[model.LfsLockRow](s.rows(ctx, projectID).Where("lfs_locks.id = ?", id), lfsLock)
}

// GetByPath returns the lock on a file.
func (s LfsLocks) GetByPath(ctx context.Context, projectID int64, path string) (model.LfsLockRow, error) {
	return query.Take[model.LfsLockRow](s.rows(ctx, projectID).Where("lfs_locks.path = ?", path), lfsLock)
}

// OfOthers returns the paths in a project that users other than the given one have locked, each with the name of the
// user.
func (s LfsLocks) OfOthers(ctx context.Context, projectID, userID int64) (map[string]string, error) {
	names := map[string]string{}
	const statement = "SELECT l.path, u.name FROM lfs_locks l JOIN users u ON u.id = l.user_id WHERE l.project_id = ? AND l.user_id <> ?"
	err := s.db.Rows(ctx, statement, []any{projectID, userID}, func(row query.Scanner) error {
		var path, name string
		err := row.Scan(&path, &name)
		names[path] = name
		return err
	})
	return names, query.Translate(err)
}

func (s LfsLocks) rows(ctx context.Context, projectID int64) *gorm.DB {
	return s.db.Read(ctx).Select("lfs_locks.*, u.name").Joins("JOIN users u ON u.id = lfs_locks.user_id").
		Where("lfs_locks.project_id = ?", projectID)
}

// Create adds a lock. It returns a *ConflictError if the file is locked already, and a *NotFoundError if the project is
// gone.
func (s LfsLocks) Create(ctx context.Context, row *model.LfsLock) error {
	err := s.db.Write(ctx).Create(row).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: project}
	}
	return query.Translate(err)
}

// Delete removes a lock. It returns a *NotFoundError if the lock is gone already.
func (s LfsLocks) Delete(ctx context.Context, projectID, id int64) error {
	res := s.db.Write(ctx).Where("id = ? AND project_id = ?", id, projectID).Delete(&model.LfsLock{})
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: lfsLock}
	}
	return query.Translate(res.Error)
}
