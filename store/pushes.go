package store

import (
	"context"
	"time"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Pushes are the changes of refs that are about to be made, and the events of those that were.
type Pushes struct{ *base }

// Begin notes what is about to change. From now on the change is found again, whatever happens.
func (s Pushes) Begin(ctx context.Context, rows []model.Push) error {
	if len(rows) == 0 {
		return nil
	}
	return translate(s.write(ctx).Create(&rows).Error)
}

// Done is what a push has changed.
type Done struct {
	ProjectID     int64
	Notes         []int64 // the ids of what was begun
	Events        []model.Event
	DefaultBranch string                 // of a repository that was empty, else empty
	Protect       *model.ProtectedBranch // the rule that its default branch gets
}

// End writes the events of a push and forgets what was begun, in one transaction.
func (s Pushes) End(ctx context.Context, d Done) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if len(d.Notes) > 0 {
			if err := s.write(ctx).Where("id IN ?", d.Notes).Delete(&model.Push{}).Error; err != nil {
				return translate(err)
			}
		}
		if len(d.Events) == 0 {
			return nil
		}
		if err := s.write(ctx).Create(&d.Events).Error; err != nil {
			return translate(err)
		}
		set := map[string]any{"last_activity_at": now(), "empty_repo": false}
		if d.DefaultBranch != "" {
			set["default_branch"] = d.DefaultBranch
		}
		if err := s.write(ctx).Model(&model.Project{}).Where("id = ?", d.ProjectID).UpdateColumns(set).Error; err != nil {
			return translate(err)
		}
		if d.Protect == nil {
			return nil
		}
		return translate(s.write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(d.Protect).Error)
	})
}

// Left returns what was begun before a time and has not ended, of one server that was killed or of one that still works.
func (s Pushes) Left(ctx context.Context, before time.Time) ([]model.Push, error) {
	rows, err := find[model.Push](s.read(ctx).Where("created_at < ?", before.UTC()).Order("id").Limit(1000), 0)
	return rows, translate(err)
}

// Events returns what was pushed to a project, in that order.
func (s Pushes) Events(ctx context.Context, projectID int64) ([]model.Event, error) {
	rows, err := find[model.Event](s.read(ctx).Where("project_id = ? AND action = ?", projectID, model.EventPushed).Order("id"), 0)
	return rows, translate(err)
}
