package store

import (
	"context"

	"svc/store/model"

	"gorm.io/gorm"
)

// Timelogs are time that was spent on issues and merge requests.
type Timelogs struct{ *base }

// Add notes time that was spent, or taken back, and keeps the sum. False means that more is taken back than was spent.
func (s Timelogs) Add(ctx context.Context, log *model.Timelog) (bool, error) {
	enough := true
	err := s.Tx(ctx, func(ctx context.Context) error {
		res := s.write(ctx).Table(tableOf(log.TargetType)).Where("id = ? AND total_time_spent + ? >= 0", log.TargetID, log.Seconds).
			UpdateColumns(map[string]any{"total_time_spent": gorm.Expr("total_time_spent + ?", log.Seconds), "updated_at": now()})
		if res.Error != nil {
			return translate(res.Error)
		}
		if enough = res.RowsAffected > 0; !enough {
			return nil
		}
		return translate(s.write(ctx).Create(log).Error)
	})
	return enough, err
}

// Reset forgets the time that was spent on something.
func (s Timelogs) Reset(ctx context.Context, kind string, id int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.write(ctx).Where("target_type = ? AND target_id = ?", kind, id).Delete(&model.Timelog{}).Error; err != nil {
			return translate(err)
		}
		return translate(s.write(ctx).Table(tableOf(kind)).Where("id = ?", id).UpdateColumns(map[string]any{"total_time_spent": 0, "updated_at": now()}).Error)
	})
}

// Estimate sets how long something will take.
func (s Timelogs) Estimate(ctx context.Context, kind string, id, seconds int64) error {
	return translate(s.write(ctx).Table(tableOf(kind)).Where("id = ?", id).UpdateColumns(map[string]any{"time_estimate": seconds, "updated_at": now()}).Error)
}

// tableOf is where issues or merge requests are kept.
func tableOf(kind string) string {
	if kind == model.OnMergeRequest {
		return onMergeRequests.table
	}
	return onIssues.table
}
