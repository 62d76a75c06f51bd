package pagination

import (
	"context"

	"svc/store"
)

// PageOf returns one page of a list that is completely in memory, like the branches of a repository.
func PageOf[T any](w Window, rows []T) ([]T, store.Total) {
	from := min(w.Offset, len(rows))
	to := min(from+w.Limit, len(rows))
	return rows[from:to], TotalOf(w, len(rows))
}

// TotalOf returns the total of a list with the given number of rows.
func TotalOf(w Window, count int) store.Total {
	return store.Total{Count: int64(count), Known: count <= store.CountCap, More: w.Offset+w.Limit < count}
}

// PageByToken returns the first page of such a list and the link to the next page, whose token names the last row shown.
// rows must begin after the row that the request's page_token names.
func PageByToken[T any](ctx context.Context, rows []T, size *int64, name func(T) string) ([]T, Headers) {
	window := NewTokenPage(ctx, size)
	if len(rows) <= window.Limit {
		return rows, Headers{}
	}
	rows = rows[:window.Limit]
	return rows, window.Headers(true, name(rows[window.Limit-1]))
}
