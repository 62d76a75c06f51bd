package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// FreezePeriods holds the times in which projects do not want deployments.
type FreezePeriods struct{ *base }

const freezePeriod = "Freeze Period"

// List returns one page of the freeze periods of a project, the oldest first.
func (s FreezePeriods) List(ctx context.Context, projectID int64, p Page) ([]model.FreezePeriod, Total, error) {
	return query.List[model.FreezePeriod](s.db.Read(ctx).Where("project_id = ?", projectID).Order("created_at, id"), p)
}

// OfProject returns all freeze periods of a project.
func (s FreezePeriods) OfProject(ctx context.Context, projectID int64) ([]model.FreezePeriod, error) {
	rows, err := query.Find[model.FreezePeriod](s.db.Read(ctx).Where("project_id = ?", projectID).Order("created_at, id"), 0)
	return rows, query.Translate(err)
}

// Get returns a freeze period of a project.
func (s FreezePeriods) Get(ctx context.Context, projectID, id int64) (model.FreezePeriod, error) {
	return query.Take[model.FreezePeriod](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), freezePeriod)
}

// Create adds a freeze period. It returns a *LimitError if the project already has most freeze periods.
func (s FreezePeriods) Create(ctx context.Context, row *model.FreezePeriod, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "freeze periods of project "+strconv.FormatInt(row.ProjectID, 10)); err != nil {
			return err
		}
		var n int64
		count := s.db.Write(ctx).Raw("SELECT count(*) FROM freeze_periods WHERE project_id = ?", row.ProjectID)
		if err := query.ScanFirst(count, &n); err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// Save stores a changed freeze period.
func (s FreezePeriods) Save(ctx context.Context, row *model.FreezePeriod) error {
	return query.Translate(s.db.Write(ctx).Save(row).Error)
}

// Delete removes a freeze period, unless it was changed after the given time.
func (s FreezePeriods) Delete(ctx context.Context, row model.FreezePeriod, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, freezePeriod, unchangedSince)
}
