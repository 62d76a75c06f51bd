package store

import (
	"context"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Repositories are what is known of repositories without reading them.
type Repositories struct{ *base }

// Changed notes that a repository is to be measured anew.
func (s Repositories) Changed(ctx context.Context, projectID int64) error {
	row := model.RepositoryChange{ProjectID: projectID, ChangedAt: now()}
	return translate(s.write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error)
}

// SetReadme notes where the file is that tells what a project is; nil for none.
func (s Repositories) SetReadme(ctx context.Context, projectID int64, path *string) error {
	q := s.write(ctx).Model(&model.Project{}).Where("id = ?", projectID)
	return translate(q.UpdateColumns(map[string]any{"readme_path": path}).Error)
}

// ToMeasure returns projects whose repositories have changed since they were measured, the longest ago first.
func (s Repositories) ToMeasure(ctx context.Context, most int) ([]model.ChangedProject, error) {
	q := s.read(ctx).Select("projects.*, c.changed_at").Joins("JOIN repository_changes c ON c.project_id = projects.id")
	rows, err := find[model.ChangedProject](q.Order("c.changed_at, c.project_id").Limit(most), most)
	return rows, translate(err)
}

// Measured sets what was measured. A repository that has changed since stays to be measured.
func (s Repositories) Measured(ctx context.Context, c model.ChangedProject, size, commits int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		q := s.write(ctx).Model(&model.Project{}).Where("id = ?", c.Project.ID)
		if err := q.UpdateColumns(map[string]any{"repository_size": size, "commit_count": commits}).Error; err != nil {
			return translate(err)
		}
		return translate(s.write(ctx).Where("project_id = ? AND changed_at = ?", c.Project.ID, c.ChangedAt).Delete(&model.RepositoryChange{}).Error)
	})
}
