package store

import (
	"context"
	"strings"

	"svc/store/model"
)

// Lists are read by kept statements: one finds a page and reads its rows, with the roles of a user in all of them at once.

// What projects are read with: where they lie and whose that is. Tables are named in the order in which SQLite is to read them.
const projectJoins = " FROM page CROSS JOIN projects JOIN namespaces place ON place.id = projects.namespace_id " +
	"LEFT JOIN users owner ON owner.namespace_id = projects.namespace_id WHERE projects.id = page.id"

// A user's roles in the projects of a page by their groups and by sharing, as inheritedRole has them for one project, and the
// same places. The groups around the page are gathered first: PostgreSQL would begin with all memberships of the user.
const pageRoles = `, around AS MATERIALIZED (SELECT page.id AS id, a.ancestor_id AS group_id
  FROM page CROSS JOIN namespace_ancestors a WHERE a.descendant_id = page.namespace_id)
, roles AS MATERIALIZED (SELECT id, max(level) AS level FROM (
  SELECT around.id AS id, m.access_level AS level FROM around CROSS JOIN members m
   WHERE m.source_type = 'Namespace' AND m.source_id = around.group_id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?)
  UNION ALL
  SELECT around.id, CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END
    FROM around CROSS JOIN group_links l CROSS JOIN namespace_ancestors b CROSS JOIN members m
   WHERE l.group_id = around.group_id AND b.descendant_id = l.shared_with_group_id
     AND m.source_type = 'Namespace' AND m.source_id = b.ancestor_id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?) AND (l.expires_at IS NULL OR l.expires_at > ?)
  UNION ALL
  SELECT page.id, CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END
    FROM page CROSS JOIN project_links l CROSS JOIN namespace_ancestors b CROSS JOIN members m
   WHERE l.project_id = page.id AND b.descendant_id = l.group_id
     AND m.source_type = 'Namespace' AND m.source_id = b.ancestor_id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?) AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS found GROUP BY id)`

// hotRows is up to how many rows one hot statement finds: those of the largest page and one more.
const hotRows = 101

// placesAtOnce is what the number of ids in a statement is rounded up to, so that there are few texts.
const placesAtOnce = 20

// foundProjects is a page of projects that a query with their id and namespace_id finds. What the rows are ordered by is
// theirs; beside them, the query may say how many there are in all.
type foundProjects struct {
	with    condition // what is written before the page
	page    condition
	order   string
	counted bool // whether the page has a column total
}

// query reads what was found with all that a reader sees of it, their role included.
func (f foundProjects) query(r *Reader) condition {
	args := append(append(make([]any, 0, 48), f.with.args...), f.page.args...)
	query := "WITH " + f.with.text + "page AS MATERIALIZED (" + f.page.text + ")"
	beside := ", 0, 0"
	if r != nil && !r.Admin {
		places := roleArgs(r) // of directRole, then of inheritedRole
		args = append(append(args, places[2:]...), places[:2]...)
		query += pageRoles
		beside = ", " + directRole + ", coalesce((SELECT level FROM roles WHERE roles.id = projects.id), 0)"
	}
	if f.counted {
		beside += ", page.total"
	}
	return condition{query + " SELECT " + projectColumns + ", " + placeColumns + beside + projectJoins + f.order, args}
}

// hotPage reads what was found, and how many there are in all if the page says so.
func (s Projects) hotPage(ctx context.Context, f foundProjects, r *Reader) (rows []model.ProjectRow, total int64, err error) {
	var row model.ProjectRow
	fields := append(append(projectFields(&row.Project), placeFields(&row)...), &row.Direct, &row.Inherited)
	if f.counted {
		fields = append(fields, &total)
	}
	rows = make([]model.ProjectRow, 0, placesAtOnce+1)
	query := f.query(r)
	err = s.each(ctx, query.text, query.args, func(found scanner) error {
		row = readBy(model.ProjectRow{}, r)
		err := found.Scan(fields...)
		rows = append(rows, row)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return rows, total, s.origins(ctx, rows, r)
}

// hotByID reads projects by their ids, in any order.
func (s Projects) hotByID(ctx context.Context, ids []projectID, r *Reader) ([]model.ProjectRow, error) {
	page := s.withIDs("SELECT id, namespace_id FROM projects", "id", len(ids), func(i int) int64 { return ids[i].ID })
	rows, _, err := s.hotPage(ctx, foundProjects{page: page}, r)
	return rows, err
}

// withIDs limits a query to n ids; the last is repeated, so that there are few texts.
func (s Projects) withIDs(query, column string, n int, id func(i int) int64) condition {
	places := (n + placesAtOnce - 1) / placesAtOnce * placesAtOnce
	args := make([]any, places)
	for i := range args {
		args[i] = id(min(i, n-1))
	}
	return condition{query + " WHERE " + column + " IN (?" + strings.Repeat(", ?", places-1) + ")", args}
}

// origins reads what forks show of the projects that they were made from, of those that the reader sees. Most pages have none.
func (s Projects) origins(ctx context.Context, rows []model.ProjectRow, r *Reader) error {
	var ids []int64
	for i := range rows {
		if from := rows[i].Project.ForkedFromID; from != nil {
			ids = append(ids, *from)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	query := s.withIDs("SELECT "+originColumns+" FROM projects origin", "origin.id", len(ids), func(i int) int64 { return ids[i] })
	seen, args := visibleProject("origin", r)
	origins := make(map[int64]model.Origin, len(ids))
	err := s.each(ctx, query.text+" AND "+seen, append(query.args, args...), func(found scanner) error {
		var o model.Origin
		err := found.Scan(originFields(&o)...)
		if err == nil {
			origins[*o.ID] = o
		}
		return err
	})
	for i := range rows {
		if from := rows[i].Project.ForkedFromID; from != nil {
			rows[i].Origin = origins[*from]
		}
	}
	return err
}
