package store

import (
	"context"
	"slices"
	"strconv"

	"svc/store/internal/query"
)

// shortList is a list that is hardly ever long, with a statement of which there are few texts.
type shortList[T any] struct {
	columns string
	args    []any     // of the columns
	from    condition // the table with the conditions
	order   string
	fields  func(row *T) []any
}

// page returns one page of the list. Only if there may be more rows than it has read, it counts them.
func (l shortList[T]) page(ctx context.Context, b *base, p Page) ([]T, Total, error) {
	args := append(slices.Concat(l.args, l.from.args), p.Offset)
	rest := withLimit(l.from.text+" ORDER BY "+l.order, query.ShortLimit(p))
	rows, err := readRows(ctx, b, l.columns, condition{rest, args}, p.Limit+1, l.fields)
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithShortTotal(rows, p, func() (int64, error) { return b.countRows(ctx, l.from) })
}

// readRows selects columns. rest is the statement after FROM, with all arguments; expected is how many rows there may be.
// fields returns pointers to the fields of a row, in the order of the columns. It is called once: all rows are read into
// the same place and copied from there.
func readRows[T any](
	ctx context.Context, b *base, columns string, rest condition, expected int, fields func(row *T) []any,
) ([]T, error) {
	var row, empty T
	rows := make([]T, 0, expected)
	into := fields(&row)
	err := b.db.LongRows(ctx, "SELECT "+columns+" FROM "+rest.text, rest.args, func(r query.Scanner) error {
		row = empty // fields of the row before must not stay, nor share memory
		err := r.Scan(into...)
		rows = append(rows, row)
		return err
	})
	return rows, query.Translate(err)
}

// countRows counts the rows of a table that meet conditions, up to one more than CountCap.
func (b *base) countRows(ctx context.Context, from condition) (n int64, err error) {
	err = b.db.LongRow(ctx, countStatement(from), from.args, &n)
	return n, query.Translate(err)
}

func countStatement(from condition) string {
	return "SELECT count(*) FROM (SELECT 1 FROM " + from.text + " LIMIT " + strconv.Itoa(CountCap+1) + ") AS counted"
}
