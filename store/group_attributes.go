package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// GroupAttributes holds the custom attributes that administrators attach to groups.
type GroupAttributes struct{ *base }

// List returns one page of a group's attributes, ordered by key.
func (s GroupAttributes) List(ctx context.Context, id int64, p Page) ([]model.GroupCustomAttribute, Total, error) {
	return query.List[model.GroupCustomAttribute](s.db.Read(ctx).Where("group_id = ?", id).Order("key"), p)
}

// Get returns one attribute of a group.
func (s GroupAttributes) Get(ctx context.Context, id int64, key string) (model.GroupCustomAttribute, error) {
	return query.Take[model.GroupCustomAttribute](s.db.Read(ctx).Where("group_id = ? AND key = ?", id, key), customAttribute)
}

// Put creates or replaces an attribute of a group.
func (s GroupAttributes) Put(ctx context.Context, a *model.GroupCustomAttribute) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "group_id"}, {Name: "key"}},
		DoUpdates: clause.AssignmentColumns([]string{"value", "updated_at"}),
	}).Create(a).Error)
}

// Delete removes an attribute of a group, unless it was changed after the given time.
func (s GroupAttributes) Delete(ctx context.Context, id int64, key string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.GroupCustomAttribute](
		ctx, s.db, customAttribute, unchangedSince,
		"group_id = ? AND key = ?", id, key,
	)
}
