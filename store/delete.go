package store

import (
	"context"
	"time"
)

// deleteOne removes a row that was read before, unless it was changed after the given time. Of two at once, one finds the row.
func deleteOne[T any](ctx context.Context, b *base, row T, resource string, unchangedSince *time.Time) error {
	res := unchanged(b.write(ctx), unchangedSince).Delete(&row)
	if res.Error != nil {
		return translate(res.Error)
	}
	if res.RowsAffected == 0 {
		return changedOrGone(resource, unchangedSince)
	}
	return nil
}

// changedOrGone is why a row that was read before is not found again: without a condition it can only have been deleted.
func changedOrGone(resource string, unchangedSince *time.Time) error {
	if unchangedSince == nil {
		return &NotFoundError{Resource: resource}
	}
	return &ChangedError{Resource: resource}
}
