package store

import (
	"context"
	"reflect"
	"strconv"

	"svc/store/model"
)

// Lists of all projects and of those of a member are asked for most.

// fewProjects is up to how many projects of a member are gathered and sorted. Where there are more, a page is full sooner
// by walking along the list's order.
const fewProjects = 2000

// surelyMany is how many times CountCap a page must promise for a list to be taken for too long to be counted.
const surelyMany = 4

// plain tells whether nothing but the reader's role and the place in the list decides.
func (f ProjectFilter) plain() bool {
	if len(f.CustomAttributes) == 0 {
		f.CustomAttributes = nil
	}
	if len(f.Topics) == 0 {
		f.Topics = nil
	}
	return reflect.DeepEqual(f, ProjectFilter{MinAccess: f.MinAccess, IDAfter: f.IDAfter, IDBefore: f.IDBefore})
}

// column is one that projects can be ordered by.
func (o ProjectOrder) column() string {
	if projectOrders[o.Column] {
		return o.Column
	}
	return "created_at"
}

// clause orders by a column, or what stands for it.
func (o ProjectOrder) clause(column, id string) string {
	direction := ""
	if o.Desc {
		direction = " DESC"
	}
	if column == id {
		return " ORDER BY " + id + direction
	}
	return " ORDER BY " + column + direction + ", " + id + direction
}

// byRow orders rows of projects.
func (o ProjectOrder) byRow() string { return o.clause("projects."+o.column(), "projects.id") }

// hotList is one page of a plain list.
func (s Projects) hotList(ctx context.Context, f ProjectFilter, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, Total, error) {
	if f.MinAccess > model.NoAccess {
		return s.hotMine(ctx, f, o, r, p)
	}
	rows, err := s.walkList(ctx, condition{visibleByRoles(r), nil}, o, r, p)
	if err != nil {
		return nil, Total{}, err
	}
	return total(rows, p, func() (int64, error) {
		if p.Offset+len(rows) > CountCap || promisesMany(rows, o) {
			return CountCap + 1, nil
		}
		return s.hotTotal(ctx, r)
	})
}

// promisesMany tells from a page of a list, newest first, whether there are surely too many to be counted: if those before
// lie as dense as these.
func promisesMany(rows []model.ProjectRow, o ProjectOrder) bool {
	if column := o.column(); !o.Desc || (column != "id" && column != "created_at") || len(rows) < placesAtOnce {
		return false
	}
	first, last := rows[0].Project.ID, rows[len(rows)-1].Project.ID
	return first > last && first*int64(len(rows))/(first-last+1) >= surelyMany*CountCap
}

// walkList is one page of the projects for which a condition holds, along the order of the list.
func (s Projects) walkList(ctx context.Context, where condition, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, error) {
	query := "SELECT projects.id FROM projects WHERE " + where.text + o.byRow()
	page := s.window(condition{query, where.args}, p.Limit+1, p.Offset)
	rows, _, err := s.hotPage(ctx, foundProjects{page: page, order: o.byRow()}, r)
	return rows, err
}

// hotMine is one page of the projects in which the reader has a role. How many these are decides how they are found.
func (s Projects) hotMine(ctx context.Context, f ProjectFilter, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, Total, error) {
	rows, n, err := s.gathered(ctx, f.MinAccess, o, r, p)
	if err == nil && n > fewProjects {
		rows, err = s.walkList(ctx, condition{withRole(f.MinAccess), nil}, o, r, p)
	}
	if err != nil {
		return nil, Total{}, err
	}
	return total(rows, p, func() (int64, error) {
		if n <= fewProjects {
			return n, nil
		}
		return s.countMine(ctx, r, f.MinAccess, CountCap)
	})
}

// gathered is one page of the projects in which the reader has a role if they are few, and how many there are, up to a number.
func (s Projects) gathered(ctx context.Context, least model.Access, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, int64, error) {
	if !s.postgres && o.listed() {
		return s.filled(ctx, r, func() ([]model.ProjectRow, int64, error) { return s.listedMine(ctx, least, o, r, p) })
	}
	page := "SELECT id, (SELECT count(*) FROM found) AS total FROM found" + o.clause("place", "id")
	found := foundProjects{with: s.projectsOf(least, o.column(), fewProjects+1) + ", ", page: s.window(condition{page, nil}, p.Limit+1, p.Offset), order: o.byRow(), counted: true}
	rows, n, err := s.hotPage(ctx, found, r)
	if err == nil && len(rows) == 0 && p.Offset > 0 { // so nothing says how many there are
		n, err = s.countMine(ctx, r, least, fewProjects)
	}
	return rows, n, err
}

// countMine counts the projects in which a reader has at least a role, up to a number and one more.
func (s Projects) countMine(ctx context.Context, r *Reader, least model.Access, most int) (n int64, err error) {
	query := "WITH " + readerRoles + ", " + s.projectsOf(least, "id", most+1) + " SELECT count(*) FROM found"
	err = s.tally(ctx, query, readerArgs(r), &n)
	return n, err
}

// hotAfter is one page behind a row.
func (s Projects) hotAfter(ctx context.Context, f ProjectFilter, r *Reader, k Keyset) ([]model.ProjectRow, bool, error) {
	where, args := visibleByRoles(r), []any(nil)
	if f.IDAfter != nil {
		where, args = where+" AND projects.id > "+given, append(args, *f.IDAfter)
	}
	if f.IDBefore != nil {
		where, args = where+" AND projects.id < "+given, append(args, *f.IDBefore)
	}
	if k.After != nil {
		where, args = where+" AND projects.id "+k.compare()+" "+given, append(args, k.After.ID)
	}
	rows, err := s.walkList(ctx, condition{where, args}, ProjectOrder{Column: "id", Desc: k.Desc}, r, Page{Limit: k.Limit})
	if err != nil {
		return nil, false, err
	}
	if len(rows) > k.Limit {
		return rows[:k.Limit], true, nil
	}
	return rows, false, nil
}

// hotTotal counts what a reader sees: what everybody like them sees, and beside it what they have a role in.
func (s Projects) hotTotal(ctx context.Context, r *Reader) (n int64, err error) {
	most := strconv.Itoa(CountCap + 1)
	open := "SELECT count(*) FROM (SELECT 1 FROM projects WHERE " + atLeast("visibility", widestVisible(r)) + " LIMIT " + most + ") AS open"
	if r == nil || r.Admin {
		return n, s.tally(ctx, open, nil, &n)
	}
	query := "WITH " + readerRoles + ", " + s.projectsOf(model.Guest, "id", CountCap+1) + " SELECT CASE WHEN open > " + strconv.Itoa(CountCap) + " THEN open ELSE open + (SELECT count(*) FROM projects WHERE NOT " +
		atLeast("visibility", widestVisible(r)) + " AND id IN (SELECT id FROM found)) END FROM (SELECT (" + open + ") AS open) AS counted"
	return n, s.tally(ctx, query, readerArgs(r), &n)
}

// projectsOf is the table found of the projects in which a reader has at least a role, up to a number if it is not 0: id, and as
// place the column that they are ordered by. Each is there once, because those outside the groups are asked for apart. PostgreSQL
// gathers them once; SQLite reads less when it looks twice.
func (b *base) projectsOf(least model.Access, column string, most int) string {
	groups, rows, limit := "SELECT group_id FROM groups_of WHERE "+atLeast("level", least), "SELECT p.id AS id, p."+column+" AS place FROM ", ""
	kept, within := "NOT MATERIALIZED", "groups_of CROSS JOIN projects p WHERE p.namespace_id = groups_of.group_id AND "+atLeast("groups_of.level", least)
	if b.postgres {
		kept, within = "MATERIALIZED", "projects p WHERE p.namespace_id = ANY(ARRAY("+groups+"))"
	}
	if most > 0 {
		limit = " LIMIT " + strconv.Itoa(most)
	}
	return "found AS " + kept + " (" + rows + within + " UNION ALL " +
		rows + "(" + projectsByRoles(least) + ") AS mine CROSS JOIN projects p WHERE p.id = mine.id AND p.namespace_id NOT IN (" + groups + ")" + limit + ")"
}

// window limits an ordered query to a page. PostgreSQL plans by the limit, but takes what it cannot look at for a tenth of
// everything; so it is told the power of ten that is enough. SQLite compiles the statement anew when it can look.
func (s Projects) window(q condition, limit, offset int) condition {
	if !s.postgres {
		return condition{q.text + " LIMIT " + given + " OFFSET " + given, append(q.args, limit, offset)}
	}
	enough := hotRows
	for enough < offset+limit {
		enough *= 10
	}
	text := "SELECT * FROM (SELECT * FROM (" + q.text + " LIMIT " + strconv.Itoa(enough) + ") AS walked LIMIT " + strconv.Itoa(hotRows) + " OFFSET " + given + ") AS behind LIMIT " + given
	return condition{text, append(q.args, offset, limit)}
}
