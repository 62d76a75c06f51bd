package store

import (
	"context"
	"slices"
	"time"

	"svc/store/model"
)

// Events are what users did.
type Events struct{ *base }

// quiet is how long a project counts as active after it was last said to be.
const quiet = time.Hour

// Create writes what a user did in a project, and notes at most once an hour that the project is active.
func (s Events) Create(ctx context.Context, p model.Project, e *model.Event) error {
	e.ProjectID = &p.ID
	if err := translate(s.write(ctx).Create(e).Error); err != nil {
		return err
	}
	if e.CreatedAt.Sub(p.LastActivityAt) < quiet {
		return nil
	}
	res := s.write(ctx).Model(&model.Project{}).Where("id = ? AND last_activity_at < ?", p.ID, e.CreatedAt.Add(-quiet))
	return translate(res.UpdateColumn("last_activity_at", e.CreatedAt).Error)
}

// CreateAll writes that a user did the same in several projects, and notes that these are active, at most once an hour each.
func (s Events) CreateAll(ctx context.Context, projectIDs []int64, e model.Event) error {
	if len(projectIDs) == 0 {
		return nil
	}
	e.CreatedAt = now()
	rows := make([]model.Event, len(projectIDs))
	for i := range projectIDs {
		rows[i] = e
		rows[i].ProjectID = &projectIDs[i]
	}
	return s.CreateRows(ctx, rows)
}

// CreateRows writes events of several projects, and notes that these are active, at most once an hour each.
func (s Events) CreateRows(ctx context.Context, rows []model.Event) error {
	if len(rows) == 0 {
		return nil
	}
	if err := translate(s.write(ctx).CreateInBatches(&rows, someRows).Error); err != nil {
		return err
	}
	ids, at := make([]int64, len(rows)), rows[0].CreatedAt
	for i := range rows {
		ids[i] = *rows[i].ProjectID
	}
	for part := range slices.Chunk(ids, someRows) {
		res := s.write(ctx).Model(&model.Project{}).Where("id IN ? AND last_activity_at < ?", part, at.Add(-quiet)).UpdateColumn("last_activity_at", at)
		if res.Error != nil {
			return translate(res.Error)
		}
	}
	return nil
}

// DeleteBefore deletes up to a number of events that are older than a time, and returns how many they were.
func (s Events) DeleteBefore(ctx context.Context, before time.Time, most int) (int64, error) {
	old := s.write(ctx).Model(&model.Event{}).Select("id").Where("created_at < ?", before.UTC()).Order("created_at").Limit(most)
	res := s.write(ctx).Where("id IN (?)", old).Delete(&model.Event{})
	return res.RowsAffected, translate(res.Error)
}
