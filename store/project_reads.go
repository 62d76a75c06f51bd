package store

import (
	"context"
	"strconv"

	"svc/store/model"

	"gorm.io/gorm"
)

// What a reader sees of a project beside its own row.
const projectShown = "projects.*, " +
	"place.id AS place_id, place.kind AS place_kind, place.name AS place_name, place.path AS place_path, " +
	"place.full_path AS place_full_path, place.parent_id AS place_parent_id, place.avatar AS place_avatar, " +
	"place.default_branch_protection AS place_default_branch_protection, " +
	"owner.id AS owner_id, owner.username AS owner_username, owner.name AS owner_name, owner.state AS owner_state, owner.locked_at AS owner_locked_at, owner.avatar AS owner_avatar, " +
	"origin.id AS origin_id, origin.name AS origin_name, origin.full_name AS origin_full_name, origin.path AS origin_path, origin.full_path AS origin_full_path"

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

// shown reads projects with all that a reader sees of them, their role included, in one query.
func (s Projects) shown(ctx context.Context, r *Reader) *gorm.DB {
	columns, args := projectShown+", 0 AS direct, 0 AS inherited", []any(nil)
	if r != nil && !r.Admin {
		columns = projectShown + ", " + directRole + " AS direct, " + inheritedRole + " AS inherited"
		args = roleArgs(r)
	}
	seen, seenArgs := visibleProject("origin", r)
	return s.read(ctx).Table("projects").Select(columns, args...).
		Joins("JOIN namespaces place ON place.id = projects.namespace_id").
		Joins("LEFT JOIN users owner ON owner.namespace_id = projects.namespace_id").
		Joins("LEFT JOIN projects origin ON origin.id = projects.forked_from_id AND "+seen, seenArgs...)
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
	q := s.shown(ctx, r)
	if id != 0 {
		q = q.Where("projects.id = ?", id)
	} else {
		q = q.Where("lower(projects.full_path) = lower(?)", fullPath)
	}
	row, err := take[model.ProjectRow](q, project)
	return readBy(row, r), err
}

// GetByOldPath returns the project that had a path before.
func (s Projects) GetByOldPath(ctx context.Context, fullPath string, r *Reader) (model.ProjectRow, error) {
	q := s.shown(ctx, r).Where("projects.id = (SELECT project_id FROM project_redirects WHERE path = lower(?))", fullPath)
	row, err := take[model.ProjectRow](q, project)
	return readBy(row, r), err
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
