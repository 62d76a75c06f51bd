package store

import (
	"strings"

	"svc/store/model"
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

// rolesIn returns a query for all memberships that count in a group or project.
func (s Members) rolesIn(f MemberFilter) condition {
	day, in := s.today(), opaqueNumber
	roles := condition{text: ofGroups + ofInvitedGroups}
	if f.SourceType == model.SourceProject {
		in = "(SELECT namespace_id FROM projects WHERE id = ?)"
		roles.text += ofProject
	}
	roles.text = strings.ReplaceAll(roles.text, "descendant_id = ?", "descendant_id = "+in)
	roles.args = []any{f.SourceID, day, f.SourceID, day, day}
	if f.SourceType == model.SourceProject {
		roles.args = append(roles.args, f.SourceID, day, f.SourceID, day, day)
	}
	return roles
}

// rankOfRole is a number for each membership: of the memberships of a user, the one that counts has the largest. The order
// is that of effectiveBegin. From the highest bit on, it has the role, whether it is from elsewhere than an invited group,
// the nearness, and the id. The largest number costs less than a window.
const (
	rankOfRole = "CAST(level AS bigint) * 72057594037927936 + (1 - invited) * 36028797018963968 + " +
		"(254 - depth) * 140737488355328 + 140737488355327 - member_id"
	rankIDs   = "140737488355327" // the lowest 47 bits
	rankLevel = "56"              // the bit at which the role begins
)

// memberOfRank and levelOfRank return expressions for the membership and the role of a rank.
func memberOfRank(rank string) string { return "(" + rankIDs + " - (" + rank + " & " + rankIDs + "))" }

func levelOfRank(rank string) string { return "(" + rank + " >> " + rankLevel + ")" }
