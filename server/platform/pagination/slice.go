package pagination

import (
	"context"

	"svc/store"
)

// Cut is the window on a list that is whole in memory, like the branches of a repository.
func Cut[T any](w Window, rows []T) ([]T, store.Total) {
	from := min(w.Offset, len(rows))
	to := min(from+w.Limit, len(rows))
	total := store.Total{Count: int64(len(rows)), Known: len(rows) <= store.CountCap, More: to < len(rows)}
	return rows[from:to], total
}

// CutByToken is the first page of what is left of such a list behind the row that page_token named, and the link to the
// next page, which names the last row shown.
func CutByToken[T any](ctx context.Context, rows []T, size *int64, name func(T) string) ([]T, Headers) {
	window := Token(ctx, size)
	if len(rows) <= window.Limit {
		return rows, Headers{}
	}
	rows = rows[:window.Limit]
	return rows, window.Headers(true, name(rows[window.Limit-1]))
}
