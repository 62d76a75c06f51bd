package query

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// CountCap is the number of rows above which lists give no total. A client with that many pages follows links.
const CountCap = 10000

// Page selects a part of an ordered list.
type Page struct{ Limit, Offset int }

// Total is the number of rows of a list. Known is false if there are more than CountCap.
type Total struct {
	Count int64
	Known bool
	More  bool // there are rows after this page
}

// List returns one page of an ordered query. It reads one row more than the page shows. The total needs a query of its
// own only if that row exists, or if the page is past the end.
func List[T any](q *gorm.DB, p Page) ([]T, Total, error) {
	q = q.Session(&gorm.Session{})
	rows, err := Find[T](q.Limit(p.Limit+1).Offset(p.Offset), p.Limit+1)
	if err != nil {
		return nil, Total{}, Translate(err)
	}
	return WithTotal(rows, p, func() (int64, error) { return CountUpTo[T](q, CountCap+1) })
}

// WithTotal computes the total of a list. The rows were read with one row more than the page shows; WithTotal cuts that row
// off. It calls count only if that row exists, or if the page is past the end.
func WithTotal[T any](rows []T, p Page, count func() (int64, error)) ([]T, Total, error) {
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

// CountUpTo counts the rows of a query, but stops at most.
func CountUpTo[T any](q *gorm.DB, most int) (int64, error) {
	inner := q.Session(&gorm.Session{DryRun: true}).Model(new(T)).Select("1").Limit(most).Offset(-1)
	delete(inner.Statement.Clauses, clause.OrderBy{}.Name())
	built := inner.Find(&[]T{})
	if built.Error != nil {
		return 0, Translate(built.Error)
	}
	counting := q.Session(&gorm.Session{NewDB: true}).Model(nil)
	counting.Statement.SQL.WriteString("SELECT COUNT(*) FROM (" + built.Statement.SQL.String() + ") AS counted")
	counting.Statement.Vars = built.Statement.Vars
	var n int64
	err := ScanFirst(counting, &n)
	return n, Translate(err)
}

// Keyset selects the rows after a given row, so that rows added meanwhile do not shift the pages.
type Keyset struct {
	Column string // a column of the table; the id breaks ties
	Desc   bool
	After  *Key // nil for the first page
	Limit  int
}

// Key identifies a row by the columns that order it.
type Key struct {
	Value string // value of the ordering column; empty if that is the id
	ID    int64
}

// Operator returns the operator that selects the rows after k.After.
func (k Keyset) Operator() string {
	if k.Desc {
		return "<"
	}
	return ">"
}

// Direction returns the direction for ORDER BY.
func (k Keyset) Direction() string {
	if k.Desc {
		return " DESC"
	}
	return ""
}

// Ordered sorts a query by the keyset column, then by id.
func Ordered(q *gorm.DB, k Keyset) *gorm.DB {
	q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: k.Column}, Desc: k.Desc})
	if k.Column != "id" {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: k.Desc})
	}
	return q
}

// After limits a query to the rows after k.After.
func After(q *gorm.DB, k Keyset) *gorm.DB {
	switch {
	case k.After == nil:
		return q
	case k.Column == "id":
		return q.Where("id "+k.Operator()+" ?", k.After.ID)
	}
	return q.Where("(?, id) "+k.Operator()+" (?, ?)", clause.Column{Name: k.Column}, k.After.Value, k.After.ID)
}

// ListAfter returns one page of rows after k.After, and reports whether there are more.
func ListAfter[T any](q *gorm.DB, k Keyset) ([]T, bool, error) {
	q = Ordered(After(q, k), k)
	rows, err := Find[T](q.Limit(k.Limit+1), k.Limit+1)
	if err != nil {
		return nil, false, Translate(err)
	}
	if len(rows) > k.Limit {
		return rows[:k.Limit], true, nil
	}
	return rows, false, nil
}
