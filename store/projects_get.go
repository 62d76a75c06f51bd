package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// directRole selects a user's role as a member of the project in the outer query. Arguments: user, today.
const directRole = `coalesce((SELECT m.access_level FROM members m
 WHERE m.source_type = 'Project' AND m.source_id = projects.id AND m.user_id = ` + opaqueNumber +
	` AND (m.expires_at IS NULL OR m.expires_at > ?)), 0)`

// inheritedRole selects a user's highest role through the ancestor groups of the project, through groups that those are
// shared with, and through groups that the project is shared with. A share gives the lower of the two roles. Arguments:
// user, today; user, today, today; user, today, today.
const inheritedRole = `coalesce((SELECT max(level) FROM (
  SELECT m.access_level AS level FROM namespace_ancestors a
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = a.ancestor_id AND m.user_id = ` + opaqueNumber + `
    		AND (m.expires_at IS NULL OR m.expires_at > ?)
   WHERE a.descendant_id = projects.namespace_id
  UNION ALL
  SELECT CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END FROM namespace_ancestors a
    JOIN group_links l ON l.group_id = a.ancestor_id
    JOIN namespace_ancestors b ON b.descendant_id = l.shared_with_group_id
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id AND m.user_id = ` + opaqueNumber + `
    		AND (m.expires_at IS NULL OR m.expires_at > ?)
   WHERE a.descendant_id = projects.namespace_id AND (l.expires_at IS NULL OR l.expires_at > ?)
  UNION ALL
  SELECT CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END FROM project_links l
    JOIN namespace_ancestors b ON b.descendant_id = l.group_id
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id AND m.user_id = ` + opaqueNumber + `
    		AND (m.expires_at IS NULL OR m.expires_at > ?)
   WHERE l.project_id = projects.id AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS roles), 0)`

// shown returns one project with everything that a reader sees, including their role. If the cached project is still
// current, it reads only the version and the role.
func (s Projects) shown(ctx context.Context, r *Reader, where string, arg any) (model.ProjectRow, error) {
	row := readBy(model.ProjectRow{}, r)
	roles, args := s.selectRoles(r)
	err := s.db.Row(
		ctx, "SELECT projects.id, projects.version"+roles+" FROM projects WHERE "+where, append(args, arg), &row.Project.ID,
		&row.Project.Version, &row.Direct, &row.Inherited,
	)
	if err != nil {
		return model.ProjectRow{}, query.Translate(err, project)
	}
	return s.complete(ctx, row, r)
}

// selectRoles returns the columns for the roles of a reader, with their arguments. Roles of administrators are 0.
func (s Projects) selectRoles(r *Reader) (columns string, args []any) {
	if r == nil || r.Admin {
		return ", 0, 0", nil
	}
	return ", " + directRole + ", " + inheritedRole, roleArgs(r, s.today())
}

// complete adds the rest to a project of which the id, the version and the roles are known. It reads the project only if it is
// not in the cache.
func (s Projects) complete(ctx context.Context, row model.ProjectRow, r *Reader) (model.ProjectRow, error) {
	if known := s.cached(&row); known != nil {
		known.into(&row)
	} else if err := s.read(ctx, &row, r); err != nil {
		return model.ProjectRow{}, err
	}
	rows := []model.ProjectRow{row}
	err := s.origins(ctx, rows, r)
	return rows[0], query.Translate(err)
}

// read reads the project with the id of the row, and the roles of the reader, and caches the project.
func (s Projects) read(ctx context.Context, row *model.ProjectRow, r *Reader) error {
	roles, args := s.selectRoles(r)
	fields := append(append(projectFields(&row.Project), placeFields(row)...), &row.Direct, &row.Inherited)
	statement := "SELECT " + projectColumns + ", " + placeColumns + roles + projectTables + " WHERE projects.id = ?"
	if err := s.db.Row(ctx, statement, append(args, row.Project.ID), fields...); err != nil {
		return query.Translate(err, project)
	}
	s.cacheProject(row)
	return nil
}

// Changed returns a project that the transaction has changed, so that it cannot be in the cache. It has no roles.
func (s Projects) Changed(ctx context.Context, id int64) (model.Project, error) {
	row := model.ProjectRow{Project: model.Project{ID: id}}
	err := s.read(ctx, &row, nil)
	return row.Project, err
}

// Roles returns the roles that a user has as a direct member of a project and through groups. It ignores administrator
// rights.
func (s Projects) Roles(ctx context.Context, projectID int64, r *Reader) (direct, inherited model.Access, err error) {
	err = s.db.Row(
		ctx, "SELECT "+directRole+", "+inheritedRole+" FROM projects WHERE projects.id = ?",
		append(roleArgs(r, s.today()), projectID), &direct, &inherited,
	)
	return direct, inherited, query.Translate(err, project)
}

// roleArgs returns the arguments of directRole and inheritedRole.
func roleArgs(r *Reader, day time.Time) []any {
	return []any{r.UserID, day, r.UserID, day, r.UserID, day, day, r.UserID, day, day}
}

// visibleProject returns a condition for the projects that a reader can see.
func visibleProject(table string, r *Reader, day time.Time) (string, []any) {
	switch {
	case r == nil:
		return atLeast(table+".visibility", model.Public), nil
	case r.Admin:
		return "TRUE", nil
	}
	member, args := projectWithRole(table, r.UserID, model.Guest, day)
	return "(" + atLeast(table+".visibility", widestVisible(r)) + " OR " + member + ")", args
}

// widestVisible returns the lowest visibility at which a reader sees projects without a role in them.
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

// atLeast returns a condition for rows with at least a role or visibility. The value is part of the text: there are
// only a few values, and a planner that knows the value can estimate the number of rows.
func atLeast[T ~int64](column string, least T) string {
	return column + " >= " + strconv.FormatInt(int64(least), 10)
}

// projectWithRole returns a condition for the projects in which a user has at least a role.
func projectWithRole(table string, userID int64, least model.Access, day time.Time) (string, []any) {
	text := "(" + table + ".id IN (SELECT m.source_id FROM members m WHERE m.user_id = " + opaqueNumber +
		" AND m.source_type = 'Project' " +
		"AND " + atLeast(
		"m.access_level",
		least,
	) + " AND (m.expires_at IS NULL OR m.expires_at > ?)) " +
		"OR " + table + ".namespace_id IN (SELECT group_id FROM (" + rolesInGroups + ") AS roles WHERE " + atLeast(
		"level",
		least,
	) + ") " +
		"OR " + table + ".id IN (SELECT l.project_id FROM members m JOIN namespace_ancestors b ON b.ancestor_id = m.source_id " +
		"JOIN project_links l ON l.group_id = b.descendant_id WHERE m.user_id = " + opaqueNumber + " AND m.source_type = 'Namespace' " +
		"AND " + atLeast(
		"m.access_level",
		least,
	) + " AND " + atLeast(
		"l.access_level",
		least,
	) +
		" AND (m.expires_at IS NULL OR m.expires_at > ?) AND (l.expires_at IS NULL OR l.expires_at > ?)))"
	args := append([]any{userID, day}, rolesArgs(userID, day)...)
	return text, append(args, userID, day, day)
}

// Get returns a project with the reader's role in it, in one query. It finds the project by id or, if that is 0, by
// full path. The caller decides whether the reader may see it.
func (s Projects) Get(ctx context.Context, id int64, fullPath string, r *Reader) (model.ProjectRow, error) {
	if id != 0 {
		return s.shown(ctx, r, "projects.id = ?", id)
	}
	return s.shown(ctx, r, "lower(projects.full_path) = lower(?)", fullPath)
}

// GetAhead is like Get. If the project was already found with the caller, no statement is needed unless the project has changed.
func (s Projects) GetAhead(ctx context.Context, a *Ahead, id int64, fullPath string, r *Reader) (model.ProjectRow, error) {
	f := a.take(false, id, fullPath)
	if f == nil || r == nil || f.userID != r.UserID || f.admin != r.Admin {
		return s.Get(ctx, id, fullPath, r)
	}
	row := readBy(model.ProjectRow{Direct: f.direct, Inherited: f.inherited}, r)
	row.Project.ID, row.Project.Version = f.id, f.version
	return s.complete(ctx, row, r)
}

// GetByOldPath returns the project that formerly had a path.
func (s Projects) GetByOldPath(ctx context.Context, fullPath string, r *Reader) (model.ProjectRow, error) {
	return s.shown(ctx, r, "projects.id = (SELECT project_id FROM project_redirects WHERE path = lower(?))", fullPath)
}

// PathAmong returns the full path of the project that has one of these paths, or an empty text. Of several, it returns the
// longest.
func (s Projects) PathAmong(ctx context.Context, paths []string) (string, error) {
	lower := make([]string, len(paths))
	for i, path := range paths {
		lower[i] = strings.ToLower(path)
	}
	var found []string
	err := s.db.Read(ctx).Table("projects").Where("lower(full_path) IN ?", lower).Order("length(full_path) DESC").Limit(1).
		Pluck("full_path", &found).Error
	if err != nil || len(found) == 0 {
		return "", query.Translate(err)
	}
	return found[0], nil
}

// IDByPath returns the id of the project that has or had a path, or 0.
func (s Projects) IDByPath(ctx context.Context, fullPath string) (int64, error) {
	var id int64
	q := s.db.Read(ctx).Raw("SELECT id FROM projects WHERE lower(full_path) = lower(?) UNION ALL "+
		"SELECT project_id FROM project_redirects WHERE path = lower(?) LIMIT 1", fullPath, fullPath)
	return id, query.Translate(q.Scan(&id).Error)
}

func readBy(row model.ProjectRow, r *Reader) model.ProjectRow {
	row.SignedIn, row.Admin = r != nil, r != nil && r.Admin
	return row
}
