package store

import (
	"context"
	"reflect"
	"strconv"

	"svc/store/internal/query"
	"svc/store/model"
)

// The lists of all projects and of a member's projects are requested most often.

// fewProjects is the maximum number of a member's projects that are gathered and sorted. If there are more, walking
// along the order of the list fills a page sooner.
const fewProjects = 2000

// manyFactor is how many times CountCap the estimate from a page must reach, for the list to be treated as too long to
// count.
const manyFactor = 4

// unfiltered reports whether the filter uses only the reader's role and the range of ids.
func (f ProjectFilter) unfiltered() bool {
	if len(f.CustomAttributes) == 0 {
		f.CustomAttributes = nil
	}
	if len(f.Topics) == 0 {
		f.Topics = nil
	}
	return reflect.DeepEqual(f, ProjectFilter{MinAccess: f.MinAccess, IDAfter: f.IDAfter, IDBefore: f.IDBefore})
}

// column returns the column to sort by.
func (o ProjectOrder) column() string {
	if projectOrders[o.Column] {
		return o.Column
	}
	return "created_at"
}

// clause returns the ORDER BY clause for a column or an expression, with the id as tie-breaker.
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

// byRow returns the ORDER BY clause for rows of projects.
func (o ProjectOrder) byRow() string { return o.clause("projects."+o.column(), "projects.id") }

// listUnfiltered returns one page of a list without filters.
func (s Projects) listUnfiltered(
	ctx context.Context, f ProjectFilter, o ProjectOrder, r *Reader, p Page,
) ([]model.ProjectRow, Total, error) {
	if f.MinAccess > model.NoAccess {
		return s.listOfMember(ctx, f, o, r, p)
	}
	rows, err := s.walkList(ctx, condition{visibleByRoles(r), nil}, o, r, p)
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if p.Offset+len(rows) > CountCap || estimatesMany(rows, o) {
			return CountCap + 1, nil
		}
		return s.countVisible(ctx, r)
	})
}

// estimatesMany estimates from a page of a list, newest first, whether there are too many projects to count. It assumes
// that the ids of older projects are as dense as those of the page.
func estimatesMany(rows []model.ProjectRow, o ProjectOrder) bool {
	if column := o.column(); !o.Desc || (column != "id" && column != "created_at") || len(rows) < placesAtOnce {
		return false
	}
	first, last := rows[0].Project.ID, rows[len(rows)-1].Project.ID
	return first > last && first*int64(len(rows))/(first-last+1) >= manyFactor*CountCap
}

// walkList returns one page of the projects that match a condition. The database walks along the order of the list.
func (s Projects) walkList(ctx context.Context, where condition, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, error) {
	statement := "SELECT projects.id FROM projects WHERE " + where.text + o.byRow()
	page := s.window(condition{statement, where.args}, p.Limit+1, p.Offset)
	rows, _, err := s.readPage(ctx, foundProjects{page: page, order: o.byRow()}, r)
	return rows, err
}

// listOfMember returns one page of the projects in which the reader has a role. The number of these projects decides how
// they are found.
func (s Projects) listOfMember(ctx context.Context, f ProjectFilter, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, Total, error) {
	rows, n, err := s.gatherOfMember(ctx, f.MinAccess, o, r, p)
	if err == nil && n > fewProjects {
		rows, err = s.walkList(ctx, condition{withRole(f.MinAccess), nil}, o, r, p)
	}
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if n <= fewProjects {
			return n, nil
		}
		return s.countOfMember(ctx, r, f.MinAccess, CountCap)
	})
}

// gatherOfMember returns one page of the projects in which the reader has a role, if they are few, and their number. It
// counts up to fewProjects and one more.
func (s Projects) gatherOfMember(
	ctx context.Context,
	least model.Access,
	o ProjectOrder,
	r *Reader,
	p Page,
) ([]model.ProjectRow, int64, error) {
	if !s.Postgres() && o.inCachedLists() {
		return s.readAndFill(ctx, r, func() ([]model.ProjectRow, int64, error) { return s.listedMine(ctx, least, o, r, p) })
	}
	page := "SELECT id, (SELECT count(*) FROM found) AS total FROM found" + o.clause("place", "id")
	found := foundProjects{
		with: s.projectsOf(least, o.column(), fewProjects+1) + ", ",
		page: s.window(condition{page, nil}, p.Limit+1, p.Offset), order: o.byRow(), counted: true,
	}
	rows, n, err := s.readPage(ctx, found, r)
	if err == nil && len(rows) == 0 && p.Offset > 0 { // no row contains the total
		n, err = s.countOfMember(ctx, r, least, fewProjects)
	}
	return rows, n, err
}

// countOfMember counts the projects in which a reader has at least a role. It stops at most+1.
func (s Projects) countOfMember(ctx context.Context, r *Reader, least model.Access, most int) (n int64, err error) {
	statement := "WITH " + readerRoles + ", " + s.projectsOf(least, "id", most+1) + " SELECT count(*) FROM found"
	err = s.db.LongRow(ctx, statement, readerArgs(r, s.today()), &n)
	return n, err
}

// afterUnfiltered returns one page after a row.
func (s Projects) afterUnfiltered(ctx context.Context, f ProjectFilter, r *Reader, k Keyset) ([]model.ProjectRow, bool, error) {
	where, args := visibleByRoles(r), []any(nil)
	if f.IDAfter != nil {
		where, args = where+" AND projects.id > "+opaqueNumber, append(args, *f.IDAfter)
	}
	if f.IDBefore != nil {
		where, args = where+" AND projects.id < "+opaqueNumber, append(args, *f.IDBefore)
	}
	if k.After != nil {
		where, args = where+" AND projects.id "+k.Operator()+" "+opaqueNumber, append(args, k.After.ID)
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

// countVisible counts the projects that a reader can see: those that the visibility opens to them, and the others in which
// they have a role.
func (s Projects) countVisible(ctx context.Context, r *Reader) (n int64, err error) {
	most := strconv.Itoa(CountCap + 1)
	open := "SELECT count(*) FROM (SELECT 1 FROM projects WHERE " + atLeast("visibility", widestVisible(r)) + " LIMIT " + most + ") AS open"
	if r == nil || r.Admin {
		return n, s.db.LongRow(ctx, open, nil, &n)
	}
	statement := "WITH " + readerRoles + ", " + s.projectsOf(model.Guest, "id", CountCap+1) +
		" SELECT CASE WHEN open > " + strconv.Itoa(CountCap) +
		" THEN open ELSE open + (SELECT count(*) FROM projects WHERE NOT " +
		atLeast("visibility", widestVisible(r)) + " AND id IN (SELECT id FROM found)) END FROM (SELECT (" + open + ") AS open) AS counted"
	return n, s.db.LongRow(ctx, statement, readerArgs(r, s.today()), &n)
}

// projectsOf returns a table expression named found: the projects in which a reader has at least a role, limited to
// most if it is not 0. Its columns are id, and place with the value of the column to sort by. Each project appears
// once, because projects outside the groups are selected separately. PostgreSQL gathers them once; SQLite reads less if
// it evaluates the expression twice.
func (b *base) projectsOf(least model.Access, column string, most int) string {
	groups, rows, limit := "SELECT group_id FROM groups_of WHERE "+atLeast("level", least),
		"SELECT p.id AS id, p."+column+" AS place FROM ", ""
	kept, within := "NOT MATERIALIZED",
		"groups_of CROSS JOIN projects p WHERE p.namespace_id = groups_of.group_id AND "+atLeast("groups_of.level", least)
	if b.Postgres() {
		kept, within = "MATERIALIZED", "projects p WHERE p.namespace_id = ANY(ARRAY("+groups+"))"
	}
	if most > 0 {
		limit = " LIMIT " + strconv.Itoa(most)
	}
	return "found AS " + kept + " (" + rows + within + " UNION ALL " +
		rows + "(" + projectsByRoles(least) +
		") AS mine CROSS JOIN projects p WHERE p.id = mine.id AND p.namespace_id NOT IN (" + groups + ")" + limit + ")"
}

// window limits an ordered query to a page. PostgreSQL uses the limit in its plan, but assumes a tenth of all rows for
// a limit that it cannot see. So the text contains a limit that is large enough, in steps of ten. SQLite would compile
// the statement again if it saw the limit.
func (s Projects) window(q condition, limit, offset int) condition {
	if !s.Postgres() {
		return condition{q.text + " LIMIT " + opaqueNumber + " OFFSET " + opaqueNumber, append(q.args, limit, offset)}
	}
	enough := maxPageRows
	for enough < offset+limit {
		enough *= 10
	}
	text := "SELECT * FROM (SELECT * FROM (" + q.text + " LIMIT " + strconv.Itoa(enough) + ") AS walked LIMIT " +
		strconv.Itoa(maxPageRows) + " OFFSET " + opaqueNumber + ") AS behind LIMIT " + opaqueNumber
	return condition{text, append(q.args, offset, limit)}
}
