package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Contributions holds the numbers of lines that authors have added to and removed from a project, counted up to a
// commit.
type Contributions struct{ *base }

// Head returns the commit up to which a project is counted, or the empty string if it is not counted yet.
func (s Contributions) Head(ctx context.Context, projectID int64) (string, error) {
	row, err := query.Take[model.ContributionHead](s.db.Read(ctx).Where("project_id = ?", projectID), "Contribution")
	if IsNotFound(err) {
		return "", nil
	}
	return row.HeadID, err
}

// List returns the counts of a project so far.
func (s Contributions) List(ctx context.Context, projectID int64) ([]model.Contribution, error) {
	rows, err := query.Find[model.Contribution](s.db.Read(ctx).Where("project_id = ?", projectID), 0)
	return rows, query.Translate(err)
}

// Reset deletes the counts of a project, so that counting starts again. It returns false and deletes nothing if the
// project is no longer counted up to the commit head.
func (s Contributions) Reset(ctx context.Context, projectID int64, head string) (bool, error) {
	forgotten := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		res := s.db.Write(ctx).Where("project_id = ? AND head_id = ?", projectID, head).Delete(&model.ContributionHead{})
		if res.Error != nil || res.RowsAffected == 0 {
			return query.Translate(res.Error)
		}
		forgotten = true
		return query.Translate(s.db.Write(ctx).Where("project_id = ?", projectID).Delete(&model.Contribution{}).Error)
	})
	return forgotten, err
}

// Add adds the counts between two commits; from is empty for the first count. It returns false and adds nothing if the
// project is no longer counted up to from, because another process was faster, or if the project is gone.
func (s Contributions) Add(ctx context.Context, projectID int64, from, to string, rows []model.Contribution) (bool, error) {
	added := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		var res *gorm.DB
		if from == "" {
			head := model.ContributionHead{ProjectID: projectID, HeadID: to, UpdatedAt: s.now()}
			res = s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&head)
		} else {
			res = s.db.Write(ctx).Model(&model.ContributionHead{}).Where("project_id = ? AND head_id = ?", projectID, from).
				UpdateColumns(map[string]any{"head_id": to, "updated_at": s.now()})
		}
		if res.Error != nil || res.RowsAffected == 0 {
			return query.Translate(res.Error)
		}
		added = true
		if len(rows) == 0 {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
			Columns: []clause.Column{{Name: "project_id"}, {Name: "email"}, {Name: "name"}},
			DoUpdates: clause.Assignments(map[string]any{
				"additions": gorm.Expr("contributions.additions + excluded.additions"),
				"deletions": gorm.Expr("contributions.deletions + excluded.deletions"),
			}),
		}).CreateInBatches(rows, 500).Error)
	})
	return added, err
}
