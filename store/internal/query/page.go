package query

import (
	"math"
	"slices"
	"strconv"
	"strings"

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

// List returns one page of an ordered query whose rows an index finds, with the total in the same statement.
func List[T any](q *gorm.DB, p Page) ([]T, Total, error) {
	q = q.Session(&gorm.Session{})
	return listCounted[T](q, p, &counted{rows: countable[T](q, CountCap+1)})
}

// ListShort is like List, for lists that are hardly ever long.
func ListShort[T any](q *gorm.DB, p Page) ([]T, Total, error) {
	q = q.Session(&gorm.Session{})
	rows, err := Find[T](q.Limit(ShortLimit(p)).Offset(p.Offset), p.Limit+1)
	if err != nil {
		return nil, Total{}, Translate(err)
	}
	return WithShortTotal(rows, p, func() (int64, error) { return CountUpTo[T](q, CountCap+1) })
}

// ShortLimit returns how many rows of a list that is hardly ever long are read for a page. Reading up to a hundred takes less
// time than counting them.
func ShortLimit(p Page) int { return max(p.Limit+1, 100) }

// WithShortTotal is like WithTotal, for rows that were read up to ShortLimit. It counts only longer lists.
func WithShortTotal[T any](rows []T, p Page, count func() (int64, error)) ([]T, Total, error) {
	read := len(rows)
	return WithTotal(rows, p, func() (int64, error) {
		if read > 0 && read < ShortLimit(p) {
			return int64(p.Offset + read), nil
		}
		return count()
	})
}

// ListComputed is like List, for a query that computes all its rows before the first. It counts the rows while it reads them.
func ListComputed[T any](q *gorm.DB, p Page) ([]T, Total, error) {
	return listCounted[T](q.Session(&gorm.Session{}), p, &counted{})
}

func listCounted[T any](q *gorm.DB, p Page, c *counted) ([]T, Total, error) {
	rows, err := Find[T](q.Limit(p.Limit+1).Offset(p.Offset).Set(countedKey, c), p.Limit+1)
	if err != nil {
		return nil, Total{}, Translate(err)
	}
	return WithTotal(rows, p, totalOf[T](c, q))
}

// totalOf returns a function that returns the total. It needs a statement only if there was no row to hold the total.
func totalOf[T any](c *counted, q *gorm.DB) func() (int64, error) {
	return func() (int64, error) {
		if c.known {
			return c.total, nil
		}
		return CountUpTo[T](q, CountCap+1)
	}
}

// FindWithTotal returns all rows of a query, and a function that returns the number of rows of another one, which is counted in
// the same statement. expected is how many rows there may be.
func FindWithTotal[T any](q, of *gorm.DB, expected int) ([]T, func() (int64, error), error) {
	of = of.Session(&gorm.Session{})
	c := &counted{rows: countable[T](of, CountCap+1)}
	rows, err := Find[T](q.Set(countedKey, c), expected)
	return rows, totalOf[T](c, of), Translate(err)
}

// ListFiltered returns one page of an ordered query that may read many rows to find few. It reads one row more than the page
// shows. The total needs a query of its own only if that row exists, or if the page is past the end.
func ListFiltered[T any](q *gorm.DB, p Page) ([]T, Total, error) {
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
	built := countable[T](q, most).Session(&gorm.Session{DryRun: true}).Find(&[]T{})
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

// countable returns a query for at most as many rows, without their order and columns.
func countable[T any](q *gorm.DB, most int) *gorm.DB {
	rows := q.Session(&gorm.Session{}).Model(new(T)).Select("1").Limit(most).Offset(-1)
	delete(rows.Statement.Clauses, clause.OrderBy{}.Name())
	return rows
}

// counted is the total of a list that its statement returns with the rows.
type counted struct {
	rows  *gorm.DB // what to count; nil for all rows that the statement finds
	total int64
	known bool
}

// countedKey is the setting of a statement that holds its counted.
const countedKey = "svc:counted"

// selectTotal adds the total to the columns of a statement and returns where to put it. It returns nil, and changes nothing, if
// the statement wants no total or its columns have another form.
func selectTotal(tx *gorm.DB) *counted {
	setting, _ := tx.Get(countedKey)
	c, _ := setting.(*counted)
	if c == nil || tx.DryRun || tx.Statement.Schema == nil {
		return nil
	}
	columns, expression, ok := selectedText(tx.Statement)
	if !ok {
		return nil
	}
	if columns == "" {
		columns = tx.Statement.Quote(tx.Statement.Table) + ".*"
	}
	if c.rows == nil {
		expression.SQL = columns + ", COUNT(*) OVER ()"
	} else {
		expression.SQL = columns + ", (SELECT COUNT(*) FROM (?) AS counted)"
		expression.Vars = append(slices.Clip(expression.Vars), c.rows)
	}
	tx.Statement.AddClause(clause.Select{Expression: expression})
	tx.Statement.Selects = nil // GORM would look them up
	return c
}

// selectedText returns the columns as the query names them, with their values. It reports false if they have another form.
func selectedText(q *gorm.Statement) (string, clause.Expr, bool) {
	if c, ok := q.Clauses[clause.Select{}.Name()]; ok && c.Expression != nil {
		e, ok := c.Expression.(clause.Expr)
		return e.SQL, e, ok && e.SQL != ""
	}
	if len(q.Selects) > 0 {
		return strings.Join(q.Selects, ", "), clause.Expr{}, true
	}
	plain := q.TableExpr == nil || q.TableExpr.SQL == q.Quote(q.Table)
	return "", clause.Expr{}, len(q.Joins) == 0 && plain && q.Table == q.Schema.Table
}

// writeLimit writes the limit of a query into its text; there are few different limits. The databases use the limit in their
// plans: with a bound limit, SQLite would compile the statement again each time, and PostgreSQL would plan it again. Offsets
// vary and stay bound.
func writeLimit(c clause.Clause, b clause.Builder) {
	l, ok := c.Expression.(clause.Limit)
	if !ok {
		return
	}
	limit := math.MaxInt64 // SQLite needs a limit before an offset
	if l.Limit != nil && *l.Limit >= 0 {
		limit = *l.Limit
	}
	b.WriteString("LIMIT " + strconv.Itoa(limit)) //nolint:errcheck // a buffer
	if l.Offset > 0 {
		b.WriteString(" OFFSET ") //nolint:errcheck // a buffer
		b.AddVar(b, l.Offset)
	}
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
