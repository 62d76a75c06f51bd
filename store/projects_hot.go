package store

import (
	"context"
	"slices"
	"strings"

	"svc/store/kept"
	"svc/store/model"
)

// Lists are read by kept statements: one finds a page and reads its rows, with the roles of a user in all of them at once.

// projectTables are what a project is read from: itself, where it lies and whose that is.
const projectTables = " FROM projects JOIN namespaces place ON place.id = projects.namespace_id LEFT JOIN users owner ON owner.namespace_id = projects.namespace_id"

// A reader's roles in projects, of readerRoles.
const (
	roleColumns = ", coalesce(in_project.direct, 0), coalesce(in_project.shared, 0), coalesce(in_group.level, 0)"
	roleJoins   = " LEFT JOIN groups_of in_group ON in_group.group_id = projects.namespace_id LEFT JOIN projects_of in_project ON in_project.id = projects.id"
)

// A reader's roles, worked out once for a statement: by group, and by project those in itself and those by its sharing. All begin
// with the groups that the reader's own memberships reach. Where nothing is shared at all, what is shared is not looked for.
const readerRoles = `reach AS MATERIALIZED (SELECT a.descendant_id AS group_id, m.access_level AS level
    FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.source_id
   WHERE m.user_id = ` + given + ` AND m.source_type = 'Namespace' AND (m.expires_at IS NULL OR m.expires_at > ?))
, groups_of AS MATERIALIZED (SELECT group_id, max(level) AS level FROM (
  SELECT group_id, level FROM reach
  UNION ALL
  SELECT a.descendant_id, CASE WHEN l.access_level < r.level THEN l.access_level ELSE r.level END
    FROM reach r CROSS JOIN group_links l JOIN namespace_ancestors a ON a.ancestor_id = l.group_id
   WHERE EXISTS (SELECT 1 FROM group_links) AND l.shared_with_group_id = r.group_id AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS roles GROUP BY group_id)
, projects_of AS MATERIALIZED (SELECT id, max(direct) AS direct, max(shared) AS shared FROM (
  SELECT m.source_id AS id, m.access_level AS direct, 0 AS shared FROM members m
   WHERE m.user_id = ` + given + ` AND m.source_type = 'Project' AND (m.expires_at IS NULL OR m.expires_at > ?)
  UNION ALL
  SELECT l.project_id, 0, CASE WHEN l.access_level < r.level THEN l.access_level ELSE r.level END
    FROM reach r CROSS JOIN project_links l
   WHERE EXISTS (SELECT 1 FROM project_links) AND l.group_id = r.group_id AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS roles GROUP BY id)`

func readerArgs(r *Reader) []any {
	day := today()
	return []any{r.UserID, day, day, r.UserID, day, day}
}

// withRole holds for the projects in which a reader has at least a role, by readerRoles.
func withRole(least model.Access) string {
	return "(projects.namespace_id IN (SELECT group_id FROM groups_of WHERE " + atLeast("level", least) + ") OR projects.id IN (" + projectsByRoles(least) + "))"
}

func projectsByRoles(least model.Access) string {
	return "SELECT id FROM projects_of WHERE " + atLeast("direct", least) + " OR " + atLeast("shared", least)
}

// visibleByRoles holds for the projects that a reader sees, by readerRoles.
func visibleByRoles(r *Reader) string {
	open := atLeast("projects.visibility", widestVisible(r))
	switch {
	case r == nil:
		return open
	case r.Admin:
		return "TRUE"
	}
	return "(" + open + " OR " + withRole(model.Guest) + ")"
}

// hotRows is up to how many rows one hot statement finds: those of the largest page and one more.
const hotRows = 101

// placesAtOnce is what the number of ids in a statement is rounded up to, so that there are few texts.
const placesAtOnce = 20

// foundProjects is a page of projects that a query finds by their id. What the rows are ordered by is theirs; beside them, the
// query may say how many there are in all.
type foundProjects struct {
	with    string // what is written before the page
	page    condition
	order   string
	counted bool // whether the page has a column total
}

// query reads the versions of what was found, and what the reader is there. Tables are named in the order in which SQLite is to read
// them.
func (f foundProjects) query(r *Reader) condition {
	query, args := "WITH ", make([]any, 0, 32)
	if r != nil {
		query, args = query+readerRoles+", ", append(args, readerArgs(r)...)
	}
	query += f.with + "page AS MATERIALIZED (" + f.page.text + ") SELECT projects.id, projects.version"
	roles, joins := ", 0, 0, 0", " FROM page CROSS JOIN projects"
	if r != nil && !r.Admin {
		roles, joins = roleColumns, joins+roleJoins
	}
	if f.counted {
		roles += ", page.total"
	}
	return condition{query + roles + joins + " WHERE projects.id = page.id" + f.order, append(args, f.page.args...)}
}

// readAgain is how often a page is read again because projects have changed while it was read.
const readAgain = 3

// hotPage reads what was found, and how many there are in all if the page says so. Of projects that have not changed since they
// were read for somebody else, only that is read.
func (s Projects) hotPage(ctx context.Context, f foundProjects, r *Reader) (rows []model.ProjectRow, total int64, err error) {
	return s.filled(ctx, r, func() ([]model.ProjectRow, int64, error) { return s.hotVersions(ctx, f, r) })
}

// filled completes rows of which find tells ids, versions and roles, and how many there are in all.
func (s Projects) filled(ctx context.Context, r *Reader, find func() ([]model.ProjectRow, int64, error)) (rows []model.ProjectRow, total int64, err error) {
	for range readAgain {
		rows, total, err = find()
		if err != nil {
			return nil, 0, err
		}
		changed, err := s.fill(ctx, rows)
		if err != nil {
			return nil, 0, err
		}
		if !changed {
			break
		}
	}
	rows = slices.DeleteFunc(rows, func(row model.ProjectRow) bool { return row.Project.FullPath == "" }) // gone, or never at rest
	return rows, total, s.origins(ctx, rows, r)
}

// hotVersions reads which projects were found, in which version, and what the reader is there.
func (s Projects) hotVersions(ctx context.Context, f foundProjects, r *Reader) (rows []model.ProjectRow, total int64, err error) {
	var row model.ProjectRow
	var shared model.Access
	fields := []any{&row.Project.ID, &row.Project.Version, &row.Direct, &shared, &row.Inherited}
	if f.counted {
		fields = append(fields, &total)
	}
	rows = make([]model.ProjectRow, 0, placesAtOnce+1)
	query := f.query(r)
	err = s.each(ctx, query.text, query.args, func(found scanner) error {
		row = readBy(model.ProjectRow{}, r)
		err := found.Scan(fields...)
		row.Inherited = max(row.Inherited, shared)
		rows = append(rows, row)
		return err
	})
	return rows, total, err
}

// fill completes rows of which the version is known, and tells whether one has changed since that was read: then what was found for
// the reader may not be so any more.
func (s Projects) fill(ctx context.Context, rows []model.ProjectRow) (changed bool, err error) {
	var missing []int
	for i := range rows {
		if known := s.known(&rows[i]); known != nil {
			known.into(&rows[i])
		} else {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return false, nil
	}
	read, err := s.placed(ctx, len(missing), func(i int) int64 { return rows[missing[i]].Project.ID })
	if err != nil {
		return false, err
	}
	for _, i := range missing {
		p := read[rows[i].Project.ID]
		if p == nil || p.Project.Version != rows[i].Project.Version {
			changed = true
			continue
		}
		p.into(&rows[i])
	}
	return changed, nil
}

// placed reads n projects by their ids, and where they lie, by id.
func (s Projects) placed(ctx context.Context, n int, id func(i int) int64) (map[int64]*placedProject, error) {
	query := s.withIDs("SELECT "+projectColumns+", "+placeColumns+projectTables, "projects.id", n, id)
	read := make(map[int64]*placedProject, n)
	err := s.each(ctx, query.text, query.args, func(found scanner) error {
		var row model.ProjectRow
		err := found.Scan(append(projectFields(&row.Project), placeFields(&row)...)...)
		if err == nil {
			read[row.Project.ID] = s.keep(&row)
		}
		return err
	})
	return read, err
}

// placedProject is what all readers see of a project.
type placedProject struct {
	Project model.Project
	Place   model.Place
	Owner   model.ProjectOwner
}

// known is a project as it was read in the version of a row, or nil.
func (s Projects) known(row *model.ProjectRow) *placedProject {
	if p, ok := s.versions.Get(kept.Key(row.Project.Version)); ok && p.Project.ID == row.Project.ID {
		return p
	}
	return nil
}

// keep keeps a project as it was read.
func (s Projects) keep(row *model.ProjectRow) *placedProject {
	p := &placedProject{row.Project, row.Place, row.Owner}
	s.versions.Set(kept.Key(p.Project.Version), p)
	return p
}

func (p *placedProject) into(row *model.ProjectRow) {
	row.Project, row.Place, row.Owner = p.Project, p.Place, p.Owner
}

// hotByID reads projects by their ids, in any order.
func (s Projects) hotByID(ctx context.Context, ids []projectID, r *Reader) ([]model.ProjectRow, error) {
	page := s.withIDs("SELECT id FROM projects", "id", len(ids), func(i int) int64 { return ids[i].ID })
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
