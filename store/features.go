package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Features holds the feature switches of the instance.
type Features struct{ *base }

const feature = "Feature"

// List returns one page of the switches, sorted by name. It does not read when they were created and changed.
func (s Features) List(ctx context.Context, p Page) ([]model.Feature, Total, error) {
	return shortList[model.Feature]{
		columns: "id, name, gates", from: condition{text: "features"}, order: "name",
		fields: func(f *model.Feature) []any { return []any{&f.ID, &f.Name, &f.Gates} },
	}.page(ctx, s.base, p)
}

// Change changes the conditions of a switch, which is created if it does not exist. No other change happens meanwhile.
func (s Features) Change(ctx context.Context, name string, change func(gates string) (string, error)) (model.Feature, error) {
	var row model.Feature
	err := s.Exclusive(ctx, "features", func(ctx context.Context) (err error) {
		row, err = query.Take[model.Feature](s.db.Write(ctx).Where("name = ?", name), feature)
		if err != nil && !IsNotFound(err) {
			return err
		}
		if row.Gates, err = change(row.Gates); err != nil {
			return err
		}
		row.Name, row.UpdatedAt = name, s.now()
		clash := clause.OnConflict{
			Columns: []clause.Column{{Name: "name"}}, DoUpdates: clause.AssignmentColumns([]string{"gates", "updated_at"}),
		}
		row.ID = 0
		return query.Translate(s.db.Write(ctx).Clauses(clash).Create(&row).Error)
	})
	return row, err
}

// Delete removes a switch, unless it was changed after the given time.
func (s Features) Delete(ctx context.Context, name string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Feature](ctx, s.db, feature, unchangedSince, "name = ?", name)
}
