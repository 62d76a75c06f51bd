package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// UserPreferences holds the preferences of users.
type UserPreferences struct{ *base }

// Get returns the preferences of a user. A user who has not set any gets the defaults, without an id.
func (s UserPreferences) Get(ctx context.Context, userID int64) (model.UserPreference, error) {
	row, err := query.Take[model.UserPreference](s.db.Read(ctx).Where("user_id = ?", userID), "Preferences")
	if IsNotFound(err) {
		return model.DefaultPreference(userID), nil
	}
	return row, err
}

// Change stores the named columns, or the whole row if the user has no preferences yet. It returns the stored row.
func (s UserPreferences) Change(ctx context.Context, row model.UserPreference, columns []string) (model.UserPreference, error) {
	err := s.Tx(ctx, func(ctx context.Context) error {
		clash := clause.OnConflict{
			Columns:   []clause.Column{{Name: "user_id"}},
			DoUpdates: clause.AssignmentColumns(append([]string{"updated_at"}, columns...)),
		}
		if err := s.db.Write(ctx).Clauses(clash).Create(&row).Error; err != nil {
			return query.Translate(err)
		}
		var err error
		row, err = s.Get(ctx, row.UserID)
		return err
	})
	return row, err
}
