package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// UserStatuses holds the statuses that users set.
type UserStatuses struct{ *base }

// Get returns the status of a user at the given time. An expired status counts as none.
func (s UserStatuses) Get(ctx context.Context, userID int64, at time.Time) (model.UserStatus, error) {
	q := s.db.Read(ctx).Where("user_id = ? AND (clear_status_at IS NULL OR clear_status_at > ?)", userID, at.UTC())
	return query.Take[model.UserStatus](q, "Status")
}

// Replace sets the status of a user and replaces any other.
func (s UserStatuses) Replace(ctx context.Context, row *model.UserStatus) error {
	return s.upsert(ctx, row, []string{"emoji", "availability", "message", "clear_status_at", "updated_at"})
}

// Change sets the named columns to the values of the row. An expired status is deleted first. If the user has no
// status, the whole row is added if create is set; otherwise nothing happens.
func (s UserStatuses) Change(ctx context.Context, row *model.UserStatus, columns []string, create bool, at time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		over := s.db.Write(ctx).Where("user_id = ? AND clear_status_at <= ?", row.UserID, at.UTC())
		if err := over.Delete(&model.UserStatus{}).Error; err != nil {
			return query.Translate(err)
		}
		if create {
			return s.upsert(ctx, row, append([]string{"updated_at"}, columns...))
		}
		return query.Translate(s.db.Write(ctx).Model(row).Where("user_id = ?", row.UserID).Select(columns).Updates(row).Error)
	})
}

func (s UserStatuses) upsert(ctx context.Context, row *model.UserStatus, columns []string) error {
	clash := clause.OnConflict{Columns: []clause.Column{{Name: "user_id"}}, DoUpdates: clause.AssignmentColumns(columns)}
	return query.Translate(s.db.Write(ctx).Clauses(clash).Create(row).Error)
}

// Delete removes the status of a user, if there is one.
func (s UserStatuses) Delete(ctx context.Context, userID int64) error {
	return query.Translate(s.db.Write(ctx).Where("user_id = ?", userID).Delete(&model.UserStatus{}).Error)
}

// DeleteExpired removes the statuses that have expired at the given time and returns their number.
func (s UserStatuses) DeleteExpired(ctx context.Context, at time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("clear_status_at <= ?", at.UTC()).Delete(&model.UserStatus{})
	return res.RowsAffected, query.Translate(res.Error)
}
