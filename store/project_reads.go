package store

import (
	"context"
	"strconv"

	"svc/store/model"
)

// A user's role in the project of the query around it. The places: user, today.
const directRole = `coalesce((SELECT m.access_level FROM members m
 WHERE m.source_type = 'Project' AND m.source_id = projects.id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?)), 0)`

// The same by its groups, by groups that these are shared with, and by groups that the project is shared with, of a
// shared one the lower of both roles. The places: user, today; user, today, today; user, today, today.
const inheritedRole = `coalesce((SELECT max(level) FROM (
  SELECT m.access_level AS level FROM namespace_ancestors a
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = a.ancestor_id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?)
   WHERE a.descendant_id = projects.namespace_id
  UNION ALL
  SELECT CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END FROM namespace_ancestors a
    JOIN group_links l ON l.group_id = a.ancestor_id
    JOIN namespace_ancestors b ON b.descendant_id = l.shared_with_group_id
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?)
   WHERE a.descendant_id = projects.namespace_id AND (l.expires_at IS NULL OR l.expires_at > ?)
  UNION ALL
  SELECT CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END FROM project_links l
    JOIN namespace_ancestors b ON b.descendant_id = l.group_id
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id AND m.user_id = ` + given + ` AND (m.expires_at IS NULL OR m.expires_at > ?)
   WHERE l.project_id = projects.id AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS roles), 0)`

// shown is one project with all that a reader sees of it, their role included. Of one that has not changed since it was read, only the
// version and the role are read.
func (s Projects) shown(ctx context.Context, r *Reader, where string, arg any) (model.ProjectRow, error) {
	roles, args := ", 0, 0", []any{arg}
	if r != nil && !r.Admin {
		roles, args = ", "+directRole+", "+inheritedRole, append(roleArgs(r), arg)
	}
	rows := []model.ProjectRow{readBy(model.ProjectRow{}, r)}
	row := &rows[0]
	err := s.first(ctx, "SELECT projects.id, projects.version"+roles+" FROM projects WHERE "+where, args, &row.Project.ID, &row.Project.Version, &row.Direct, &row.Inherited)
	if known := s.known(row); err == nil && known != nil {
		known.into(row)
	} else if err == nil {
		fields := append(append(projectFields(&row.Project), placeFields(row)...), &row.Direct, &row.Inherited)
		if err = s.first(ctx, "SELECT "+projectColumns+", "+placeColumns+roles+projectTables+" WHERE "+where, args, fields...); err == nil {
			s.keep(row)
		}
	}
	if err != nil {
		return model.ProjectRow{}, translate(err, project)
	}
	return *row, translate(s.origins(ctx, rows, r))
}

// Roles returns the roles that a user has in a project as a member of it, and of its groups, whatever they may do without.
func (s Projects) Roles(ctx context.Context, projectID int64, r *Reader) (direct, inherited model.Access, err error) {
	err = s.first(ctx, "SELECT "+directRole+", "+inheritedRole+" FROM projects WHERE projects.id = ?", append(roleArgs(r), projectID), &direct, &inherited)
	return direct, inherited, translate(err, project)
}

// roleArgs are what directRole and inheritedRole ask for.
func roleArgs(r *Reader) []any {
	day := today()
	return []any{r.UserID, day, r.UserID, day, r.UserID, day, day, r.UserID, day, day}
}

// visibleProject holds for the projects that a reader sees.
func visibleProject(table string, r *Reader) (string, []any) {
	switch {
	case r == nil:
		return atLeast(table+".visibility", model.Public), nil
	case r.Admin:
		return "TRUE", nil
	}
	member, args := projectWithRole(table, r.UserID, model.Guest)
	return "(" + atLeast(table+".visibility", widestVisible(r)) + " OR " + member + ")", args
}

// widestVisible is from which visibility on a reader sees projects without a role in them.
func widestVisible(r *Reader) model.Visibility {
	switch {
	case r == nil:
		return model.Public
	case r.Admin:
		return model.Private
	case r.External:
		return model.Public
	}
	return model.Internal
}

// atLeast holds for the rows with at least a role or visibility. There are few of these, and a planner that knows which one
// is asked for also knows how many rows that leaves.
func atLeast[T ~int64](column string, least T) string {
	return column + " >= " + strconv.FormatInt(int64(least), 10)
}

// projectWithRole holds for the projects in which a user has at least a role.
func projectWithRole(table string, userID int64, least model.Access) (string, []any) {
	day := today()
	text := "(" + table + ".id IN (SELECT m.source_id FROM members m WHERE m.user_id = " + given + " AND m.source_type = 'Project' " +
		"AND " + atLeast("m.access_level", least) + " AND (m.expires_at IS NULL OR m.expires_at > ?)) " +
		"OR " + table + ".namespace_id IN (SELECT group_id FROM (" + rolesInGroups + ") AS roles WHERE " + atLeast("level", least) + ") " +
		"OR " + table + ".id IN (SELECT l.project_id FROM members m JOIN namespace_ancestors b ON b.ancestor_id = m.source_id " +
		"JOIN project_links l ON l.group_id = b.descendant_id WHERE m.user_id = " + given + " AND m.source_type = 'Namespace' " +
		"AND " + atLeast("m.access_level", least) + " AND " + atLeast("l.access_level", least) +
		" AND (m.expires_at IS NULL OR m.expires_at > ?) AND (l.expires_at IS NULL OR l.expires_at > ?)))"
	args := append([]any{userID, day}, rolesArgs(userID)...)
	return text, append(args, userID, day, day)
}

// Get returns a project by id or, where that is 0, by full path, with the reader's role in it, in one query. Whether
// they may see it is for the caller to say.
func (s Projects) Get(ctx context.Context, id int64, fullPath string, r *Reader) (model.ProjectRow, error) {
	if id != 0 {
		return s.shown(ctx, r, "projects.id = ?", id)
	}
	return s.shown(ctx, r, "lower(projects.full_path) = lower(?)", fullPath)
}

// GetByOldPath returns the project that had a path before.
func (s Projects) GetByOldPath(ctx context.Context, fullPath string, r *Reader) (model.ProjectRow, error) {
	return s.shown(ctx, r, "projects.id = (SELECT project_id FROM project_redirects WHERE path = lower(?))", fullPath)
}

// IDByPath returns the id of the project that has a path or had it before; 0 for none.
func (s Projects) IDByPath(ctx context.Context, fullPath string) (int64, error) {
	var id int64
	q := s.read(ctx).Raw("SELECT id FROM projects WHERE lower(full_path) = lower(?) UNION ALL "+
		"SELECT project_id FROM project_redirects WHERE path = lower(?) LIMIT 1", fullPath, fullPath)
	return id, translate(q.Scan(&id).Error)
}

func readBy(row model.ProjectRow, r *Reader) model.ProjectRow {
	row.SignedIn, row.Admin = r != nil, r != nil && r.Admin
	return row
}
