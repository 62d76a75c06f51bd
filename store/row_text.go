package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"svc/store/internal/query"
)

// A table that is written often has a list of its columns, beginning with the id, and a function that returns pointers to
// the fields of a row in the same order. This file builds statements and arguments from both.

// returningID makes an insertion return the id of the new row.
const returningID = " RETURNING id"

// insertion returns a statement that inserts a row. columns has all columns, the id first.
func insertion(table, columns string) string {
	columns = strings.TrimPrefix(columns, "id, ")
	return "INSERT INTO " + table + " (" + columns + ") VALUES (?" +
		strings.Repeat(", ?", strings.Count(columns, ",")) + ")"
}

// insert runs an insertion that returns the id. fields are those of the row, the id first.
func (b *base) insert(ctx context.Context, statement string, fields []any) error {
	return query.Translate(b.db.WriteRow(ctx, statement, valuesOf(fields[1:]), fields[0]))
}

// valuesOf returns the values that pointers to fields point to, as arguments of a statement.
func valuesOf(fields []any) []any {
	values := make([]any, len(fields))
	for i, field := range fields {
		switch f := field.(type) {
		case *int64:
			values[i] = *f
		case *string:
			values[i] = *f
		case *bool:
			values[i] = *f
		case *time.Time:
			values[i] = *f
		case **int64:
			values[i] = valueOrNull(*f)
		case **string:
			values[i] = valueOrNull(*f)
		case **bool:
			values[i] = valueOrNull(*f)
		case **time.Time:
			values[i] = valueOrNull(*f)
		default:
			values[i] = field // the driver follows the pointer
		}
	}
	return values
}

func valueOrNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// setTimes sets the times of a new row that are not set yet.
func (b *base) setTimes(times ...*time.Time) {
	now := b.now()
	for _, t := range times {
		if t.IsZero() {
			*t = now
		}
	}
}

// insertLater runs an insertion whose id nobody needs.
func (b *base) insertLater(ctx context.Context, statement string, fields []any) error {
	return b.later(ctx, statement, valuesOf(fields[1:])...)
}

// later runs a statement that returns no rows, and that breaks no rule which the caller would explain. In a transaction on
// PostgreSQL it may be sent with the next statement or the commit, which then return its error.
func (b *base) later(ctx context.Context, statement string, args ...any) error {
	return query.Translate(b.db.Later(ctx, statement, args))
}

// change runs a statement that changes rows and returns none.
func (b *base) change(ctx context.Context, statement string, args ...any) error {
	err := b.db.WriteRow(ctx, statement, args)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return query.Translate(err)
}

// lockRow makes a statement lock the rows that it reads, until the transaction ends. SQLite has one writer, so it needs
// no locks.
func (b *base) lockRow(statement string) string {
	if b.db.Postgres() {
		return statement + " FOR UPDATE"
	}
	return statement
}
