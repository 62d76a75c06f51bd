package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// deleteOne removes a row that was read before, unless it was changed after the given time, which is a *ChangedError. Of
// several callers at once one removes the row, and the others get a *NotFoundError.
func deleteOne[T any](ctx context.Context, b *base, row T, resource string, unchangedSince *time.Time) error {
	again := row // GORM finds it by its primary key
	return deleteFrom[T](b.write(ctx), &row, resource, unchangedSince, func() (bool, error) {
		res := b.write(ctx).Limit(1).Find(&again)
		return res.RowsAffected > 0, res.Error
	})
}

// deleteWhere is deleteOne for the row that a condition names.
func deleteWhere[T any](ctx context.Context, b *base, resource string, unchangedSince *time.Time, where string, args ...any) error {
	return deleteFrom[T](b.write(ctx).Where(where, args...), new(T), resource, unchangedSince, func() (bool, error) {
		rows, err := find[T](b.write(ctx).Where(where, args...).Limit(1), 1)
		return len(rows) > 0, err
	})
}

func deleteFrom[T any](q *gorm.DB, row *T, resource string, unchangedSince *time.Time, exists func() (bool, error)) error {
	column, err := changeColumn[T](q)
	if err != nil {
		return err
	}
	res := unchangedBy(q, column, unchangedSince).Delete(row)
	if res.Error != nil || res.RowsAffected > 0 {
		return translate(res.Error)
	}
	return changedOrGone(resource, unchangedSince, exists)
}

// changedOrGone is the reason why a conditional delete found no row. Without a condition the row can only be gone. With one
// the row is looked for once more: another caller may have deleted it meanwhile.
func changedOrGone(resource string, unchangedSince *time.Time, exists func() (bool, error)) error {
	if unchangedSince == nil {
		return &NotFoundError{Resource: resource}
	}
	there, err := exists()
	switch {
	case err != nil:
		return translate(err)
	case there:
		return &ChangedError{Resource: resource}
	}
	return &NotFoundError{Resource: resource}
}

// changeColumn is the column with the time of the last change. Rows that are never changed have only that of their creation.
func changeColumn[T any](q *gorm.DB) (string, error) {
	parsed, err := schema.Parse(new(T), &schemas, q.NamingStrategy)
	if err != nil {
		return "", err
	}
	if parsed.LookUpField(updatedAt) == nil {
		return "created_at", nil
	}
	return updatedAt, nil
}

const updatedAt = "updated_at"

// unchanged limits a query to rows that were not changed after a time.
func unchanged(q *gorm.DB, since *time.Time) *gorm.DB { return unchangedBy(q, updatedAt, since) }

func unchangedBy(q *gorm.DB, column string, since *time.Time) *gorm.DB {
	if since == nil {
		return q
	}
	return q.Where(column+" < ?", endOf(*since))
}

// ChangedAfter reports whether something that was last changed at a time was changed after the time in the condition of a
// delete. It is false without a condition.
func ChangedAfter(changed time.Time, since *time.Time) bool {
	return since != nil && !changed.Before(endOf(*since))
}

// endOf is the end of the second of a time: HTTP dates have no fractions.
func endOf(t time.Time) time.Time { return t.UTC().Truncate(time.Second).Add(time.Second) }
