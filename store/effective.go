package store

import "gorm.io/gorm"

// The memberships that count in a group, each with the role that it gives there: those in the group and above it and,
// with the lower of the two roles, those in groups that any of these is shared with, and above them. Of each user the one
// with the highest role is at place 1, the nearest first among equals.
// The places: group, kind of source, today, group, today, kind of source, today.
const effectiveMembers = `
SELECT member_id, level FROM (
  SELECT member_id, level, row_number() OVER (PARTITION BY member_user ORDER BY level DESC, invited, depth, member_id) AS place FROM (
    SELECT m.id AS member_id, m.user_id AS member_user, m.access_level AS level, 0 AS invited, a.depth AS depth
      FROM namespace_ancestors a JOIN members m ON m.source_id = a.ancestor_id
     WHERE a.descendant_id = ? AND m.source_type = ? AND (m.expires_at IS NULL OR m.expires_at > ?)
    UNION ALL
    SELECT m.id, m.user_id, CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END, 1, a.depth + b.depth
      FROM namespace_ancestors a JOIN group_links l ON l.group_id = a.ancestor_id
      JOIN namespace_ancestors b ON b.descendant_id = l.shared_with_group_id
      JOIN members m ON m.source_id = b.ancestor_id
     WHERE a.descendant_id = ? AND (l.expires_at IS NULL OR l.expires_at > ?) AND m.source_type = ? AND (m.expires_at IS NULL OR m.expires_at > ?)
  ) AS roles
) AS ranked WHERE place = 1`

// effective limits a query of members to those that count in a group, and reads the role that they have there.
func (s Members) effective(q *gorm.DB, f MemberFilter) *gorm.DB {
	day := today()
	return q.Select("id, source_type, source_id, user_id, effective.level AS access_level, expires_at, created_by_id, created_at, updated_at").
		Joins("JOIN ("+effectiveMembers+") AS effective ON effective.member_id = members.id",
			f.SourceID, f.SourceType, day, f.SourceID, day, f.SourceType, day)
}
