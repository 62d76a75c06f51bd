package store

import (
	"context"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Todos are what people are asked to look at.
type Todos struct{ *base }

// Add asks people to look at something; who is asked for the same already, and has not looked yet, is not asked again.
func (s Todos) Add(ctx context.Context, rows []model.Todo) error {
	if len(rows) == 0 {
		return nil
	}
	return translate(s.write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&rows, someRows).Error)
}
