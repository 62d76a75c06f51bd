package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// listPlan is how a list of issues or merge requests finds its rows. PostgreSQL chooses itself, because it knows how many rows
// match a condition; only lists of a set of ids are gathered, so that the set is read once for the page and the total. SQLite
// has no such statistics here, so the list chooses for it.
type listPlan int

const (
	// databasePlan leaves the choice to the database. On SQLite that suits lists for which an index has the rows in order.
	databasePlan listPlan = iota
	// gatherPlan finds all rows of the list, counts and sorts them. It suits lists of at most CountCap rows.
	gatherPlan
	// gatherSetPlan is like gatherPlan for lists with a set of ids, such as those with a label, from which the search begins.
	gatherSetPlan
	// walkPlan walks along an index that has the order of the list, until the page is full. It suits longer lists.
	walkPlan
)

// issuableList is a list of issues or merge requests.
type issuableList struct {
	in     issuable
	scope  IssuableScope
	filter IssuableFilter
	whole  any             // the whole filter, without its order
	sets   bool            // the filter has a set of ids
	rows   func() *gorm.DB // all rows of the table
	where  func(q *gorm.DB, in issuable) *gorm.DB
	shown  condition // the columns of a row
}

// listIssuables returns one page of a list. If the list has more rows than are counted, that is remembered. fields returns
// pointers to the fields of a row, in the order of the columns.
func listIssuables[T any](ctx context.Context, b *base, l issuableList, p Page, fields func(*T) []any) ([]T, Total, error) {
	name, err := l.name()
	if err != nil {
		return nil, Total{}, err
	}
	long := b.longLists.Has(name)
	if b.Postgres() && !l.hasSet() || !b.Postgres() && l.inOrder() {
		return pageInOrder(ctx, b, l, p, name, long, fields)
	}
	if !long {
		l.in.plan = l.gatherPlan(b.Postgres())
		rows, total, err := gatherPage(ctx, b, l, p, fields)
		if err != nil || total.Known {
			return rows, total, err
		}
		b.longLists.Remember(name)
		l.in.plan = databasePlan
	}
	if !b.Postgres() {
		l = l.walked()
	}
	return pageInOrder(ctx, b, l, p, name, true, fields)
}

// name identifies the list among those that are too long to count. All orders of a list have the same name.
func (l issuableList) name() (string, error) {
	text, err := json.Marshal([]any{l.in.table, l.scope, l.whole})
	digest := sha256.Sum256(text)
	return string(digest[:]), err
}

// found returns the table with the conditions of the rows of the list that the reader sees.
func (l issuableList) found() condition {
	return conditionsOf(l.in.table, l.where(l.scope.narrow(l.rows(), l.in), l.in))
}

// inOrder reports whether an index finds exactly the rows of the list, in its order. The indexes of a project by state and by
// author have the issues of each in the order of their creation.
func (l issuableList) inOrder() bool {
	if l.scope.ProjectID == nil || l.orderIndex() == "" {
		return false
	}
	q := l.scope.narrow(l.rows(), l.in)
	before := conditionCount(q)
	more := conditionCount(l.where(q, l.in)) - before
	if l.in.orderColumn(l.filter) == "created_at" {
		if l.filter.State != "" {
			more--
		}
		if l.filter.AuthorID != nil || l.filter.Author != "" {
			more--
		}
	}
	return more <= 0
}

// conditionCount returns the number of conditions of a query.
func conditionCount(q *gorm.DB) int {
	where, _ := q.Statement.Clauses[clause.Where{}.Name()].Expression.(clause.Where)
	return len(where.Exprs)
}

// orderIndex returns the index that has all rows of the project, or of the table, in the order of the list. It is empty if there
// is none.
func (l issuableList) orderIndex() string {
	switch l.filter.OrderBy {
	case "label_priority", "priority", "milestone_due":
		return ""
	}
	column, project := l.in.orderColumn(l.filter), l.scope.ProjectID != nil
	switch {
	case column == "created_at" || column == "updated_at":
		if project {
			column = "project_" + column
		}
	case !project, column != "title" && (column != "upvotes" || l.in.kind != model.OnIssue):
		return ""
	}
	return l.in.table + "_" + column
}

// gatherPlan returns the plan to find all rows of the list. Only SQLite has to be told that a set of ids is the best beginning.
func (l issuableList) gatherPlan(postgres bool) listPlan {
	if l.hasSet() && !postgres {
		return gatherSetPlan
	}
	return gatherPlan
}

// hasSet reports whether the filter names a set of ids.
func (l issuableList) hasSet() bool { return l.sets || l.filter.hasSet() }

// walked returns the same list, found by walking along the index of its order if there is one.
func (l issuableList) walked() issuableList {
	if l.orderIndex() != "" {
		l.in.plan = walkPlan
	}
	return l
}

// page returns a query for the ids of a page in the order of the list, with one row more than the page shows.
func (l issuableList) page(found condition, p Page) condition {
	text := "SELECT " + l.in.table + ".id AS listed FROM " + l.in.table
	if l.in.plan == walkPlan {
		text += " INDEXED BY " + l.orderIndex()
	}
	text += strings.TrimPrefix(found.text, l.in.table) + " ORDER BY " + l.in.order(l.filter)
	return condition{withLimit(text, p.Limit+1), append(slices.Clip(found.args), p.Offset)}
}

// pageInOrder returns one page of a list. It reads the ids of the page in the order of the list, so that an index can end the
// search early and rows before the page are not read.
func pageInOrder[T any](
	ctx context.Context, b *base, l issuableList, p Page, name string, long bool, fields func(*T) []any,
) ([]T, Total, error) {
	found := l.found()
	var count condition
	if !long && l.filter.Search == "" { // a search may read many rows to find few, so it counts only if there are more pages
		count = condition{"(" + countStatement(found) + ")", found.args}
	}
	rows, counted, err := readSelected(ctx, b, l, l.page(found, p), count, fields)
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		return b.longLists.Count(name, func() (int64, error) {
			if count.text != "" && len(rows) > 0 {
				return counted, nil
			}
			return b.countRows(ctx, found)
		})
	})
}

// gatherPage returns one page of a list of at most CountCap rows. It finds, counts and sorts all of them in one statement. If there
// are more rows, the total is not known and there is no page.
func gatherPage[T any](ctx context.Context, b *base, l issuableList, p Page, fields func(*T) []any) ([]T, Total, error) {
	columns, order := l.in.sortedKeys(l.filter)
	found := l.found()
	page := condition{
		"WITH found AS MATERIALIZED (SELECT " + columns + " FROM " + found.text + " LIMIT " + strconv.Itoa(CountCap+1) +
			") SELECT id AS listed, (SELECT count(*) FROM found) AS total FROM found" + order +
			" LIMIT " + strconv.Itoa(p.Limit+1) + " OFFSET " + opaqueNumber,
		append(slices.Clip(found.args), p.Offset),
	}
	rows, total, err := readSelected(ctx, b, l, page, condition{text: "page.total"}, fields)
	if err != nil || total > CountCap {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if len(rows) > 0 {
			return total, nil
		}
		return b.countRows(ctx, found)
	})
}

// readSelected returns the rows of a page, whose ids another query selects, and their total as count computes it. Only for the
// rows of the page, the database then reads the columns, and evaluates subqueries among them.
func readSelected[T any](
	ctx context.Context, b *base, l issuableList, page, count condition, fields func(*T) []any,
) ([]T, int64, error) {
	columns, args := l.shown.text, slices.Concat(l.shown.args, count.args, page.args)
	var total int64
	into := fields
	if count.text != "" {
		columns += ", " + count.text
		into = func(row *T) []any { return append(fields(row), &total) }
	}
	rest := "(" + page.text + ") AS page CROSS JOIN " + l.in.table + " WHERE " + l.in.table + ".id = page.listed ORDER BY " +
		l.in.order(l.filter)
	rows, err := readRows(ctx, b, columns, condition{rest, args}, 0, into)
	return rows, total, err
}

// hasSet reports whether the filter names a set of ids: the items with a label, an assignee or an emoji.
func (f IssuableFilter) hasSet() bool {
	named := func(value string) bool {
		return value != "" && !strings.EqualFold(value, None) && !strings.EqualFold(value, Any)
	}
	return slices.ContainsFunc(f.Labels, named) || named(f.Assignee) && f.Assignee != "0" || len(f.Assignees) > 0 ||
		f.Emoji != "" && !strings.EqualFold(f.Emoji, None)
}

// inSet returns a condition for the ids that a query finds. column is the column of that query. A walk looks up each id, because
// the set may be much larger than the page.
func (in issuable) inSet(ids, column string) string {
	if in.plan == walkPlan {
		ids += " AND " + column + " = " + in.table + ".id"
	}
	return "IN (" + ids + ")"
}

// projectColumn returns the column of the project. With a plus sign, SQLite does not use its indexes.
func (in issuable) projectColumn() string {
	if in.plan == gatherSetPlan {
		return "+" + in.table + ".project_id"
	}
	return in.table + ".project_id"
}

// inProjects returns a condition for the rows in the projects that a query finds. A walk looks up the project of each row, because
// there may be very many projects.
func (in issuable) inProjects(projects string) string {
	if in.plan == walkPlan {
		return "(" + projects + " AND projects.id = " + in.table + ".project_id) IS NOT NULL"
	}
	return in.projectColumn() + " IN (" + projects + ")"
}
