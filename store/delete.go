package store

import (
	"context"
	"time"
)

// deleteOne removes a row that was read before, unless it was changed after the given time.
func deleteOne[T any](ctx context.Context, b *base, row T, resource string, unchangedSince *time.Time) error {
	res := unchanged(b.write(ctx), unchangedSince).Delete(&row)
	if res.Error != nil {
		return translate(res.Error)
	}
	if res.RowsAffected == 0 {
		return &ChangedError{Resource: resource}
	}
	return nil
}
