package store

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// CountCap is the number of rows above which totals are not counted: a client that has that many pages follows links.
const CountCap = 10000

// Page is a window on an ordered list.
type Page struct{ Limit, Offset int }

// Total is the number of rows of a list, unless there are too many to count.
type Total struct {
	Count int64
	Known bool
	More  bool // whether there are rows after this page
}

// list returns one page of an ordered query. The page is asked for with one row more than it shows: only when that
// row is there, or the page is past the end, does the total need a query of its own.
func list[T any](q *gorm.DB, p Page) ([]T, Total, error) {
	q = q.Session(&gorm.Session{})
	rows, err := find[T](q.Limit(p.Limit+1).Offset(p.Offset), p.Limit+1)
	if err != nil {
		return nil, Total{}, translate(err)
	}
	return total(rows, p, func() (int64, error) { return countUpTo[T](q, CountCap+1) })
}

// total works out the total of a list whose page was asked for with one row more than it shows, and cuts that row off:
// only when it is there, or the page is past the end, does the total need a query of its own.
func total[T any](rows []T, p Page, count func() (int64, error)) ([]T, Total, error) {
	t := Total{Count: int64(p.Offset + len(rows))}
	if len(rows) > p.Limit {
		rows, t.More = rows[:p.Limit], true
	}
	if t.More || (len(rows) == 0 && p.Offset > 0) {
		n, err := count()
		if err != nil {
			return nil, Total{}, err
		}
		t.Count = n
	}
	t.Known = t.Count <= CountCap
	return rows, t, nil
}

// countUpTo counts the rows of a query, but never more than most.
func countUpTo[T any](q *gorm.DB, most int) (int64, error) {
	var n int64
	inner := q.Model(new(T)).Select("1").Limit(most).Offset(-1)
	delete(inner.Statement.Clauses, clause.OrderBy{}.Name())
	err := q.Session(&gorm.Session{NewDB: true}).Table("(?) AS counted", inner).Count(&n).Error
	return n, translate(err)
}

// Keyset is a window that begins after a row, so that rows added meanwhile shift nothing.
type Keyset struct {
	Column string // a column of the table; the id breaks ties
	Desc   bool
	After  *Key // nil for the first page
	Limit  int
}

// Key names a row by the columns that order it.
type Key struct {
	Value string // of the ordering column, unless that is the id
	ID    int64
}

// compare is the operator for rows behind the given one.
func (k Keyset) compare() string {
	if k.Desc {
		return "<"
	}
	return ">"
}

// direction is how ORDER BY spells the order.
func (k Keyset) direction() string {
	if k.Desc {
		return " DESC"
	}
	return ""
}

// ordered puts a query into the order of a window.
func ordered(q *gorm.DB, k Keyset) *gorm.DB {
	q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: k.Column}, Desc: k.Desc})
	if k.Column != "id" {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: k.Desc})
	}
	return q
}

// after limits a query to rows behind the given one.
func after(q *gorm.DB, k Keyset) *gorm.DB {
	switch {
	case k.After == nil:
		return q
	case k.Column == "id":
		return q.Where("id "+k.compare()+" ?", k.After.ID)
	}
	return q.Where("(?, id) "+k.compare()+" (?, ?)", clause.Column{Name: k.Column}, k.After.Value, k.After.ID)
}

// keyset returns one page after the given row, and whether there are more.
func keyset[T any](q *gorm.DB, k Keyset) ([]T, bool, error) {
	q = ordered(after(q, k), k)
	rows, err := find[T](q.Limit(k.Limit+1), k.Limit+1)
	if err != nil {
		return nil, false, translate(err)
	}
	if len(rows) > k.Limit {
		return rows[:k.Limit], true, nil
	}
	return rows, false, nil
}
