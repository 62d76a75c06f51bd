package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Events holds the activity of users in projects.
type Events struct{ *base }

// activityInterval is the shortest time between two updates of a project's last_activity_at.
const activityInterval = time.Hour

var insertEvent = insertion("events", strings.ReplaceAll(eventColumns, "e.", ""))

// Create adds an event of a project and updates the last activity of the project, at most once an hour.
func (s Events) Create(ctx context.Context, p model.Project, e *model.Event) error {
	e.ProjectID = &p.ID
	s.setTimes(&e.CreatedAt)
	if err := s.insertLater(ctx, insertEvent, eventFields(e)); err != nil {
		return err
	}
	if e.CreatedAt.Sub(p.LastActivityAt) < activityInterval {
		return nil
	}
	res := s.db.Write(ctx).Model(&model.Project{}).Where("id = ? AND last_activity_at < ?", p.ID, e.CreatedAt.Add(-activityInterval))
	return query.Translate(res.UpdateColumn("last_activity_at", e.CreatedAt).Error)
}

// CreateAll adds the same event to several projects and updates their last activity, at most once an hour each.
func (s Events) CreateAll(ctx context.Context, projectIDs []int64, e model.Event) error {
	if len(projectIDs) == 0 {
		return nil
	}
	e.CreatedAt = s.now()
	rows := make([]model.Event, len(projectIDs))
	for i := range projectIDs {
		rows[i] = e
		rows[i].ProjectID = &projectIDs[i]
	}
	return s.CreateRows(ctx, rows)
}

// CreateRows adds events of several projects and updates the last activity of these, at most once an hour each.
func (s Events) CreateRows(ctx context.Context, rows []model.Event) error {
	if len(rows) == 0 {
		return nil
	}
	if err := query.Translate(s.db.Write(ctx).CreateInBatches(&rows, someRows).Error); err != nil {
		return err
	}
	ids, at := make([]int64, len(rows)), rows[0].CreatedAt
	for i := range rows {
		ids[i] = *rows[i].ProjectID
	}
	for part := range slices.Chunk(ids, someRows) {
		res := s.db.Write(ctx).Model(&model.Project{}).Where("id IN ? AND last_activity_at < ?", part, at.Add(-activityInterval)).
			UpdateColumn("last_activity_at", at)
		if res.Error != nil {
			return query.Translate(res.Error)
		}
	}
	return nil
}

// DeleteBefore deletes at most the given number of events that are older than the given time and returns how many it
// deleted.
func (s Events) DeleteBefore(ctx context.Context, before time.Time, most int) (int64, error) {
	old := s.db.Write(ctx).Model(&model.Event{}).Select("id").Where("created_at < ?", before.UTC()).Order("created_at").Limit(most)
	res := s.db.Write(ctx).Where("id IN (?)", old).Delete(&model.Event{})
	return res.RowsAffected, query.Translate(res.Error)
}
