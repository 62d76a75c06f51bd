package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// ProjectAttributes holds the custom attributes that administrators attach to projects.
type ProjectAttributes struct{ *base }

// ListByProjects returns the attributes of all given projects, keyed by project id and ordered by key.
func (s ProjectAttributes) ListByProjects(ctx context.Context, ids ...int64) (map[int64][]model.ProjectCustomAttribute, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := query.Find[model.ProjectCustomAttribute](s.db.Read(ctx).Where("project_id IN ?", ids).Order("key"), len(ids))
	return groupBy(rows, func(a model.ProjectCustomAttribute) int64 { return a.ProjectID }), query.Translate(err)
}

// List returns one page of a project's attributes, ordered by key.
func (s ProjectAttributes) List(ctx context.Context, id int64, p Page) ([]model.ProjectCustomAttribute, Total, error) {
	return query.ListShort[model.ProjectCustomAttribute](s.db.Read(ctx).Where("project_id = ?", id).Order("key"), p)
}

// Get returns one attribute of a project.
func (s ProjectAttributes) Get(ctx context.Context, id int64, key string) (model.ProjectCustomAttribute, error) {
	return query.Take[model.ProjectCustomAttribute](s.db.Read(ctx).Where("project_id = ? AND key = ?", id, key), customAttribute)
}

// Put creates or replaces an attribute of a project.
func (s ProjectAttributes) Put(ctx context.Context, a *model.ProjectCustomAttribute) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "project_id"}, {Name: "key"}},
		DoUpdates: clause.AssignmentColumns([]string{"value", "updated_at"}),
	}).Create(a).Error)
}

// Delete removes an attribute of a project, unless it was changed after the given time.
func (s ProjectAttributes) Delete(ctx context.Context, id int64, key string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.ProjectCustomAttribute](
		ctx, s.db, customAttribute, unchangedSince,
		"project_id = ? AND key = ?", id, key,
	)
}
