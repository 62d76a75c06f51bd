package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ProjectFetches counts the clones and fetches of projects by day.
type ProjectFetches struct{ *base }

// Add counts one fetch of a project on the day of the given time. A project that is gone is ignored.
func (s ProjectFetches) Add(ctx context.Context, projectID int64, at time.Time) error {
	err := s.db.Write(ctx).Exec("INSERT INTO project_fetches (project_id, date, count) VALUES (?, ?, 1) "+
		"ON CONFLICT (project_id, date) DO UPDATE SET count = project_fetches.count + 1", projectID, fetchDay(at)).Error
	if query.IsGone(err) {
		return nil
	}
	return query.Translate(err)
}

// Since returns the days with fetches of a project from the day of the given time on, the newest first.
func (s ProjectFetches) Since(ctx context.Context, projectID int64, since time.Time) ([]model.ProjectFetch, error) {
	rows, err := query.Find[model.ProjectFetch](
		s.db.Read(ctx).Where("project_id = ? AND date >= ?", projectID, fetchDay(since)).Order("date DESC"), 0,
	)
	return rows, query.Translate(err)
}

// DeleteBefore removes the counts of the days before the day of the given time.
func (s ProjectFetches) DeleteBefore(ctx context.Context, before time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("date < ?", fetchDay(before)).Delete(&model.ProjectFetch{}).Error)
}

// fetchDay returns the beginning of a day in UTC.
func fetchDay(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }
