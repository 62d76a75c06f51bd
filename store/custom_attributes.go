package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// CustomAttributes holds the texts that administrators attach to users.
type CustomAttributes struct{ *base }

const customAttribute = "CustomAttribute"

// ListByUsers returns the attributes of the given users by user, ordered by key.
func (s CustomAttributes) ListByUsers(ctx context.Context, userIDs ...int64) (map[int64][]model.UserCustomAttribute, error) {
	rows, err := query.Find[model.UserCustomAttribute](s.db.Read(ctx).Where("user_id IN ?", userIDs).Order("key"), len(userIDs))
	return groupBy(rows, func(a model.UserCustomAttribute) int64 { return a.UserID }), query.Translate(err)
}

// List returns one page of the attributes of a user, ordered by key.
func (s CustomAttributes) List(ctx context.Context, userID int64, p Page) ([]model.UserCustomAttribute, Total, error) {
	return query.ListShort[model.UserCustomAttribute](s.db.Read(ctx).Where("user_id = ?", userID).Order("key"), p)
}

// Get returns an attribute of a user.
func (s CustomAttributes) Get(ctx context.Context, userID int64, key string) (model.UserCustomAttribute, error) {
	return query.Take[model.UserCustomAttribute](s.db.Read(ctx).Where("user_id = ? AND key = ?", userID, key), customAttribute)
}

// Put creates or changes an attribute of a user.
func (s CustomAttributes) Put(ctx context.Context, a *model.UserCustomAttribute) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "user_id"}, {Name: "key"}},
		DoUpdates: clause.AssignmentColumns([]string{"value", "updated_at"}),
	}).Create(a).Error)
}

// Delete removes an attribute of a user, unless it was changed after the given time.
func (s CustomAttributes) Delete(ctx context.Context, userID int64, key string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.UserCustomAttribute](ctx, s.db, customAttribute, unchangedSince, "user_id = ? AND key = ?", userID, key)
}
