package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// ListByUser returns one page of the direct memberships of a user, the oldest first. An empty source type means all
// types.
func (s Members) ListByUser(ctx context.Context, userID int64, sourceType string, p Page) ([]model.Membership, Total, error) {
	q := s.db.Read(ctx).Table("members m").
		Select("m.source_id, coalesce(n.name, p.name) AS source_name, m.source_type, m.access_level").
		Joins("LEFT JOIN namespaces n ON n.id = m.source_id AND m.source_type = ?", model.SourceGroup).
		Joins("LEFT JOIN projects p ON p.id = m.source_id AND m.source_type = ?", model.SourceProject).
		Where("m.user_id = ? AND (m.expires_at IS NULL OR m.expires_at > ?)", userID, s.today()).
		Order("m.id")
	if sourceType != "" {
		q = q.Where("m.source_type = ?", sourceType)
	}
	return query.List[model.Membership](q, p)
}

// CountByUser counts the groups and projects that a user is a direct member of, in one query.
func (s Members) CountByUser(ctx context.Context, userID int64) (groups, projects int64, err error) {
	q := s.db.Read(ctx).Raw("SELECT coalesce(sum(CASE WHEN source_type = ? THEN 1 ELSE 0 END), 0), coalesce(sum(CASE "+
		"WHEN source_type = ? THEN 1 ELSE 0 END), 0) "+
		"FROM members WHERE user_id = ? AND (expires_at IS NULL OR expires_at > ?)",
		model.SourceGroup, model.SourceProject, userID, s.today())
	err = query.ScanFirst(q, &groups, &projects)
	return groups, projects, query.Translate(err)
}

// LowerRoleError says that a role is lower than the one that the user inherits from a group above.
type LowerRoleError struct {
	Inherited model.Access
	Group     string // its name
}

func (*LowerRoleError) Error() string { return "the inherited role is higher" }

// inheritedFrom is the role of a user in a group, with the name of the group.
type inheritedFrom struct {
	AccessLevel model.Access
	Name        string
}

// CheckInherited returns a *LowerRoleError if a role in a group or project is lower than the one that the user has in a
// group above it.
func (s Members) CheckInherited(ctx context.Context, sourceType string, sourceID, userID int64, role model.Access) error {
	in, depth := "?", 1
	if sourceType == model.SourceProject {
		in, depth = "(SELECT namespace_id FROM projects WHERE id = ?)", 0
	}
	q := s.db.Read(ctx).Raw("SELECT m.access_level, n.name FROM namespace_ancestors a JOIN members m ON m.source_id = a.ancestor_id "+
		"JOIN namespaces n ON n.id = a.ancestor_id WHERE a.descendant_id = "+in+
		" AND a.depth >= ? AND m.source_type = ? AND m.user_id = ? "+
		"AND m.access_level > ? AND (m.expires_at IS NULL OR m.expires_at > ?) ORDER BY m.access_level DESC, a.depth LIMIT 1",
		sourceID, depth, model.SourceGroup, userID, role, s.today())
	rows, err := query.Find[inheritedFrom](q, 1)
	if err == nil && len(rows) > 0 {
		return &LowerRoleError{Inherited: rows[0].AccessLevel, Group: rows[0].Name}
	}
	return query.Translate(err)
}

// GroupOf is a group that a user is a member of.
type GroupOf struct {
	FullPath    string
	AccessLevel model.Access
	Direct      bool // false if the role is inherited from a group above
}

// maxGroupsOf is the largest number of groups that GroupsOf returns.
const maxGroupsOf = 10000

// GroupsOf returns the groups that a user is a direct or inherited member of, each with the highest role, ordered by
// path.
func (s Members) GroupsOf(ctx context.Context, userID int64) ([]GroupOf, error) {
	q := s.db.Read(ctx).Raw("SELECT n.full_path, max(m.access_level) AS access_level, min(a.depth) = 0 AS direct FROM members m "+
		"JOIN namespace_ancestors a ON a.ancestor_id = m.source_id JOIN namespaces n ON n.id = a.descendant_id "+
		"WHERE m.user_id = ? AND m.source_type = ? AND (m.expires_at IS NULL OR m.expires_at > ?) "+
		"GROUP BY n.id, n.full_path ORDER BY n.full_path LIMIT ?", userID, model.SourceGroup, s.today(), maxGroupsOf)
	rows, err := query.Find[GroupOf](q, 10)
	return rows, query.Translate(err)
}

// ListRowsByUser returns one page of the direct memberships of a user in groups or in projects, the oldest first.
func (s Members) ListRowsByUser(ctx context.Context, u model.User, sourceType string, p Page) ([]model.MemberRow, Total, error) {
	q := s.db.Read(ctx).Table("members").
		Where("user_id = ? AND source_type = ? AND (expires_at IS NULL OR expires_at > ?)", u.ID, sourceType, s.today()).Order("id")
	rows, total, err := query.List[model.Member](q, p)
	if err != nil {
		return nil, Total{}, err
	}
	out, err := s.withUsers(ctx, rows)
	return out, total, err
}
