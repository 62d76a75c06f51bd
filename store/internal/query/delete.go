package query

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// DeleteOne removes a row that was read before. If the row was changed after the given time, it stays, and the result
// is a *ChangedError. Of several concurrent callers one removes the row; the others get a *NotFoundError.
func DeleteOne[T any](ctx context.Context, db *DB, row T, resource string, unchangedSince *time.Time) error {
	again := row // a copy, which GORM finds by its primary key
	return deleteFrom[T](db.Write(ctx), &row, resource, unchangedSince, func() (bool, error) {
		res := db.Write(ctx).Limit(1).Find(&again)
		return res.RowsAffected > 0, res.Error
	})
}

// DeleteWhere is DeleteOne for the row that a condition selects.
func DeleteWhere[T any](ctx context.Context, db *DB, resource string, unchangedSince *time.Time, where string, args ...any) error {
	return deleteFrom[T](db.Write(ctx).Where(where, args...), new(T), resource, unchangedSince, func() (bool, error) {
		rows, err := Find[T](db.Write(ctx).Where(where, args...).Limit(1), 1)
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
		return Translate(res.Error)
	}
	return ChangedOrGone(resource, unchangedSince, exists)
}

// ChangedOrGone returns the reason why a conditional delete matched no row. Without a condition, the row is gone. With
// a condition, ChangedOrGone looks for the row once more, because another caller may have deleted it in the meantime.
func ChangedOrGone(resource string, unchangedSince *time.Time, exists func() (bool, error)) error {
	if unchangedSince == nil {
		return &NotFoundError{Resource: resource}
	}
	there, err := exists()
	switch {
	case err != nil:
		return Translate(err)
	case there:
		return &ChangedError{Resource: resource}
	}
	return &NotFoundError{Resource: resource}
}

// changeColumn returns the column with the time of the last change. Rows that never change have only the time of their
// creation.
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

// Unchanged limits a query to rows that were not changed after a time.
func Unchanged(q *gorm.DB, since *time.Time) *gorm.DB { return unchangedBy(q, updatedAt, since) }

func unchangedBy(q *gorm.DB, column string, since *time.Time) *gorm.DB {
	if since == nil {
		return q
	}
	return q.Where(column+" < ?", endOf(*since))
}

// ChangedAfter reports whether a row with the given change time was changed after the time in the condition of a
// delete. Without a condition it returns false.
func ChangedAfter(changed time.Time, since *time.Time) bool {
	return since != nil && !changed.Before(endOf(*since))
}

// endOf returns the end of the second that contains t, because HTTP dates have no fractions.
func endOf(t time.Time) time.Time { return t.UTC().Truncate(time.Second).Add(time.Second) }
