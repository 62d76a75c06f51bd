package store

import (
	"time"

	"svc/store/model"
)

// These join the reader's roles in projects, from readerRoles.
const (
	roleColumns = ", coalesce(in_project.direct, 0), coalesce(in_project.shared, 0), coalesce(in_group.level, 0)"
	roleJoins   = " LEFT JOIN groups_of in_group ON in_group.group_id = projects.namespace_id LEFT JOIN projects_of " +
		"in_project ON in_project.id = projects.id"
)

// readerRoles computes a reader's roles once per statement: by group, by project from direct membership, and by project
// from sharing. All begin with the groups that the reader's own memberships reach. If no group or project is shared at
// all, the part for shares is skipped.
const readerRoles = `reach AS MATERIALIZED (SELECT a.descendant_id AS group_id, m.access_level AS level
    FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.source_id
   WHERE m.user_id = ` + opaqueNumber + ` AND m.source_type = 'Namespace' AND (m.expires_at IS NULL OR m.expires_at > ?))
, groups_of AS MATERIALIZED (SELECT group_id, max(level) AS level FROM (
  SELECT group_id, level FROM reach
  UNION ALL
  SELECT a.descendant_id, CASE WHEN l.access_level < r.level THEN l.access_level ELSE r.level END
    FROM reach r CROSS JOIN group_links l JOIN namespace_ancestors a ON a.ancestor_id = l.group_id
   WHERE EXISTS (SELECT 1 FROM group_links) AND l.shared_with_group_id = r.group_id AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS roles GROUP BY group_id)
, projects_of AS MATERIALIZED (SELECT id, max(direct) AS direct, max(shared) AS shared FROM (
  SELECT m.source_id AS id, m.access_level AS direct, 0 AS shared FROM members m
   WHERE m.user_id = ` + opaqueNumber + ` AND m.source_type = 'Project' AND (m.expires_at IS NULL OR m.expires_at > ?)
  UNION ALL
  SELECT l.project_id, 0, CASE WHEN l.access_level < r.level THEN l.access_level ELSE r.level END
    FROM reach r CROSS JOIN project_links l
   WHERE EXISTS (SELECT 1 FROM project_links) AND l.group_id = r.group_id AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS roles GROUP BY id)`

func readerArgs(r *Reader, day time.Time) []any {
	return []any{r.UserID, day, day, r.UserID, day, day}
}

// withRole returns a condition for the projects in which a reader has at least a role. It needs readerRoles.
func withRole(least model.Access) string {
	return "(projects.namespace_id IN (SELECT group_id FROM groups_of WHERE " + atLeast("level", least) +
		") OR projects.id IN (" + projectsByRoles(least) + "))"
}

func projectsByRoles(least model.Access) string {
	return "SELECT id FROM projects_of WHERE " + atLeast("direct", least) + " OR " + atLeast("shared", least)
}

// visibleByRoles returns a condition for the projects that a reader can see. It needs readerRoles.
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
