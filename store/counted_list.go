package store

import (
	"context"
	"slices"

	"svc/store/internal/query"
)

// countedList is a list whose rows are counted in the statement that reads a page of them. It costs less than a second
// statement, if most pages need the number.
type countedList[T any] struct {
	columns string
	from    condition // the table with the conditions
	order   string
	fields  func(row *T) []any
}

// page returns one page of the list.
func (l countedList[T]) page(ctx context.Context, b *base, p Page) ([]T, Total, error) {
	columns := l.columns + ", (" + countStatement(l.from) + ")"
	rest := withLimit(l.from.text+" ORDER BY "+l.order, p.Limit+1)
	args := append(slices.Concat(l.from.args, l.from.args), p.Offset)
	var total int64
	rows, err := readRows(ctx, b, columns, condition{rest, args}, p.Limit+1, func(row *T) []any { return append(l.fields(row), &total) })
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if len(rows) > 0 {
			return total, nil
		}
		return b.countRows(ctx, l.from) // no row has the number
	})
}
