package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Timelogs holds the time spent on issues and merge requests.
type Timelogs struct{ *base }

// Add adds or subtracts time spent and updates the total. It returns false if the total would become negative.
func (s Timelogs) Add(ctx context.Context, log *model.Timelog) (bool, error) {
	enough := true
	err := s.Tx(ctx, func(ctx context.Context) error {
		res := s.db.Write(ctx).Table(tableOf(log.TargetType)).Where("id = ? AND total_time_spent + ? >= 0", log.TargetID, log.Seconds).
			UpdateColumns(map[string]any{"total_time_spent": gorm.Expr("total_time_spent + ?", log.Seconds), "updated_at": s.now()})
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		if enough = res.RowsAffected > 0; !enough {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Create(log).Error)
	})
	return enough, err
}

// Reset deletes all time spent on an issue or merge request.
func (s Timelogs) Reset(ctx context.Context, kind string, id int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Write(ctx).Where("target_type = ? AND target_id = ?", kind, id).Delete(&model.Timelog{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Table(tableOf(kind)).Where("id = ?", id).
			UpdateColumns(map[string]any{"total_time_spent": 0, "updated_at": s.now()}).Error)
	})
}

// Estimate sets the time estimate of an issue or merge request.
func (s Timelogs) Estimate(ctx context.Context, kind string, id, seconds int64) error {
	return query.Translate(s.db.Write(ctx).Table(tableOf(kind)).Where("id = ?", id).
		UpdateColumns(map[string]any{"time_estimate": seconds, "updated_at": s.now()}).Error)
}

// tableOf returns the table of issues or merge requests.
func tableOf(kind string) string {
	if kind == model.OnMergeRequest {
		return onMergeRequests.table
	}
	return onIssues.table
}
