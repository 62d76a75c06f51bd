package store

import (
	"svc/store/model"

	"gorm.io/gorm"
)

// A query for the memberships that count in a group or project, with the role that each one gives there. For each user
// it returns the membership with the highest role; of equal roles, the nearest one. A role from an invited group comes
// after a role from elsewhere.
const (
	effectiveBegin = `
SELECT member_id, level FROM (
  SELECT member_id, level, row_number() OVER (PARTITION BY member_user ORDER BY level DESC, invited, depth, member_id) AS place FROM (`
	effectiveEnd = `
  ) AS roles
) AS ranked WHERE place = 1`

	// Memberships in a group and in the groups above it. Arguments: group, today.
	ofGroups = `
    SELECT m.id AS member_id, m.user_id AS member_user, m.access_level AS level, 0 AS invited, a.depth AS depth
      FROM namespace_ancestors a JOIN members m ON m.source_id = a.ancestor_id
     WHERE a.descendant_id = ? AND m.source_type = 'Namespace' AND (m.expires_at IS NULL OR m.expires_at > ?)`

	// Memberships in groups that one of these groups is shared with, and in the groups above those. The role is the
	// lower one of the membership and the link. Arguments: group, today, today.
	ofInvitedGroups = `
    UNION ALL
    SELECT m.id, m.user_id, CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END, 1, a.depth + b.depth
      FROM namespace_ancestors a JOIN group_links l ON l.group_id = a.ancestor_id
      JOIN namespace_ancestors b ON b.descendant_id = l.shared_with_group_id
      JOIN members m ON m.source_id = b.ancestor_id
     WHERE a.descendant_id = ? AND (l.expires_at IS NULL OR l.expires_at > ?) AND m.source_type = 'Namespace'
     	AND (m.expires_at IS NULL OR m.expires_at > ?)`

	// Memberships in the project itself, which are the nearest of all, and in the groups that it is shared with.
	// Arguments: project, today, project, today, today.
	ofProject = ofProjectItself + ofGroupsInvitedToProject

	// Memberships in the project itself. Arguments: project, today.
	ofProjectItself = `
    UNION ALL
    SELECT m.id, m.user_id, m.access_level, 0, -1 FROM members m
     WHERE m.source_type = 'Project' AND m.source_id = ? AND (m.expires_at IS NULL OR m.expires_at > ?)`

	// Memberships in the groups that the project is shared with. Arguments: project, today, today.
	ofGroupsInvitedToProject = `
    UNION ALL
    SELECT m.id, m.user_id, CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END, 1, b.depth
      FROM project_links l JOIN namespace_ancestors b ON b.descendant_id = l.group_id
      JOIN members m ON m.source_id = b.ancestor_id
     WHERE l.project_id = ? AND (l.expires_at IS NULL OR l.expires_at > ?) AND m.source_type = 'Namespace'
     	AND (m.expires_at IS NULL OR m.expires_at > ?)`
)

// effective limits a query of members to the memberships that count in a group or project, with the role that each one
// gives there.
func (s Members) effective(q *gorm.DB, f MemberFilter) *gorm.DB {
	day := s.today()
	roles, in, args := ofGroups+ofInvitedGroups, any(f.SourceID), []any(nil)
	if f.SourceType == model.SourceProject {
		in = gorm.Expr("(SELECT namespace_id FROM projects WHERE id = ?)", f.SourceID)
		roles += ofProject
		args = []any{f.SourceID, day, f.SourceID, day, day}
	}
	return q.
		Select("id, source_type, source_id, user_id, effective.level AS access_level, member_role_id, expires_at, created_by_id, "+
			"created_at, updated_at").
		Joins("JOIN ("+effectiveBegin+roles+effectiveEnd+") AS effective ON effective.member_id = members.id",
			append([]any{in, day, in, day, day}, args...)...)
}
