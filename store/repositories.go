package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Repositories holds what the database stores about the repositories on disk.
type Repositories struct{ *base }

// MarkChanged stores that the size of a repository must be measured again.
func (s Repositories) MarkChanged(ctx context.Context, projectID int64) error {
	row := model.RepositoryChange{ProjectID: projectID, ChangedAt: s.now()}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error)
}

// SetReadme stores the path of the README file of a project, or nil.
func (s Repositories) SetReadme(ctx context.Context, projectID int64, path *string) error {
	q := s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", projectID)
	return query.Translate(q.UpdateColumns(map[string]any{"readme_path": path}).Error)
}

// ToMeasure returns projects whose repositories have changed since they were measured. The longest waiting come first.
func (s Repositories) ToMeasure(ctx context.Context, most int) ([]model.ChangedProject, error) {
	q := s.db.Read(ctx).Select("projects.*, c.changed_at").Joins("JOIN repository_changes c ON c.project_id = projects.id")
	rows, err := query.Find[model.ChangedProject](q.Order("c.changed_at, c.project_id").Limit(most), most)
	return rows, query.Translate(err)
}

// StoreSize stores the size and the number of commits of a repository. If the repository has changed since, it stays in
// the list of ToMeasure.
func (s Repositories) StoreSize(ctx context.Context, c model.ChangedProject, size, commits int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		q := s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", c.Project.ID)
		if err := q.UpdateColumns(map[string]any{"repository_size": size, "commit_count": commits}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Where("project_id = ? AND changed_at = ?", c.Project.ID, c.ChangedAt).
			Delete(&model.RepositoryChange{}).Error)
	})
}

// Deleted returns repositories whose projects were deleted, the oldest first.
func (s Repositories) Deleted(ctx context.Context, most int) ([]model.DeletedRepository, error) {
	rows, err := query.Find[model.DeletedRepository](s.db.Read(ctx).Order("created_at, project_id").Limit(most), 0)
	return rows, query.Translate(err)
}

// ForgetDeleted removes repositories from the list of Deleted, if their projects were deleted before the given time.
func (s Repositories) ForgetDeleted(ctx context.Context, ids []int64, before time.Time) error {
	return query.Translate(s.db.Write(ctx).
		Where("project_id IN ? AND created_at < ?", ids, before.UTC()).Delete(&model.DeletedRepository{}).Error)
}

// StoreCopyResult stores the result of copying a fork's repository: the import status and whether the repository is empty. If
// protect is not nil, it also adds that rule for the default branch.
func (s Repositories) StoreCopyResult(ctx context.Context, id int64, status string, empty bool, protect *model.ProtectedBranch) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		set := map[string]any{"import_status": status, "empty_repo": empty}
		if err := s.db.Write(ctx).Model(&model.Project{}).Where("id = ?", id).UpdateColumns(set).Error; err != nil || protect == nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(protect).Error)
	})
}

// After returns the ids and storages of projects with non-empty repositories, ordered by id, starting after the given
// id.
func (s Repositories) After(ctx context.Context, id int64, most int) ([]model.Project, error) {
	rows, err := query.Find[model.Project](s.db.Read(ctx).Select("id", "repository_storage").
		Where("id > ? AND empty_repo = ?", id, false).Order("id").Limit(most), most)
	return rows, query.Translate(err)
}
