package store

import (
	"context"
	"time"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// UserStatuses are what users tell about themselves.
type UserStatuses struct{ *base }

// Get returns the status of a user at a time; one that is over counts as none.
func (s UserStatuses) Get(ctx context.Context, userID int64, at time.Time) (model.UserStatus, error) {
	q := s.read(ctx).Where("user_id = ? AND (clear_status_at IS NULL OR clear_status_at > ?)", userID, at.UTC())
	return take[model.UserStatus](q, "Status")
}

// Replace gives a user a status instead of any other.
func (s UserStatuses) Replace(ctx context.Context, row *model.UserStatus) error {
	return s.upsert(ctx, row, []string{"emoji", "availability", "message", "clear_status_at", "updated_at"})
}

// Change gives the columns named the values of the row, at a time. A user without a status gets the whole row, unless the
// row is only about columns that need one.
func (s UserStatuses) Change(ctx context.Context, row *model.UserStatus, columns []string, create bool, at time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		over := s.write(ctx).Where("user_id = ? AND clear_status_at <= ?", row.UserID, at.UTC())
		if err := over.Delete(&model.UserStatus{}).Error; err != nil {
			return translate(err)
		}
		if create {
			return s.upsert(ctx, row, append([]string{"updated_at"}, columns...))
		}
		return translate(s.write(ctx).Model(row).Where("user_id = ?", row.UserID).Select(columns).Updates(row).Error)
	})
}

func (s UserStatuses) upsert(ctx context.Context, row *model.UserStatus, columns []string) error {
	clash := clause.OnConflict{Columns: []clause.Column{{Name: "user_id"}}, DoUpdates: clause.AssignmentColumns(columns)}
	return translate(s.write(ctx).Clauses(clash).Create(row).Error)
}

// Delete removes the status of a user, if there is one.
func (s UserStatuses) Delete(ctx context.Context, userID int64) error {
	return translate(s.write(ctx).Where("user_id = ?", userID).Delete(&model.UserStatus{}).Error)
}

// DeleteExpired removes the statuses that are over at a time and tells how many.
func (s UserStatuses) DeleteExpired(ctx context.Context, at time.Time) (int64, error) {
	res := s.write(ctx).Where("clear_status_at <= ?", at.UTC()).Delete(&model.UserStatus{})
	return res.RowsAffected, translate(res.Error)
}
