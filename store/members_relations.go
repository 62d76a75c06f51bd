package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// MemberRelations says how the listed members are related to a group or project.
type MemberRelations struct {
	Direct      bool // members of the group or project itself
	Inherited   bool // members of the groups above
	Shared      bool // members of the groups that the group or project is shared with
	Descendants bool // members of the groups below that the reader sees; only for groups
}

// noMembers names the columns of a query of memberships. The parts follow it.
const noMembers = "SELECT 0 AS member_id, 0 AS member_user, 0 AS level, 0 AS invited, 0 AS depth WHERE 1 = 0"

// relations returns the query of the memberships with some relations, and its arguments.
func (s Members) relations(ctx context.Context, f MemberFilter, rel MemberRelations, r *Reader) (text string, args []any) {
	day, in := s.today(), any(f.SourceID)
	text = noMembers
	add := func(wanted bool, part string, values ...any) {
		if wanted {
			text, args = text+" UNION ALL "+strings.TrimPrefix(strings.TrimSpace(part), "UNION ALL"), append(args, values...)
		}
	}
	if f.SourceType == model.SourceProject {
		in = gorm.Expr("(SELECT namespace_id FROM projects WHERE id = ?)", f.SourceID)
		add(rel.Direct, ofProjectItself, f.SourceID, day)
		add(rel.Inherited, ofGroups, in, day)
		add(rel.Shared, ofGroupsInvitedToProject, f.SourceID, day, day)
	} else {
		add(rel.Direct, ofGroups+" AND a.depth = 0", in, day)
		add(rel.Inherited, ofGroups+" AND a.depth > 0", in, day)
		below := Namespaces(s).groups(ctx, GroupFilter{Below: &f.SourceID}, r).Table("namespaces").Select("id")
		add(rel.Descendants, "SELECT m.id, m.user_id, m.access_level, 0, 0 FROM members m WHERE m.source_type = 'Namespace' AND "+
			"m.source_id IN (?) AND (m.expires_at IS NULL OR m.expires_at > ?)", below, day)
	}
	add(rel.Shared, ofInvitedGroups, in, day, day)
	return text, args
}

// ListByRelations returns one page of the members of a group or project with some relations, each user once with the
// highest role, ordered by user id.
func (s Members) ListByRelations(
	ctx context.Context, f MemberFilter, rel MemberRelations, r *Reader, p Page,
) ([]model.MemberRow, Total, error) {
	text, args := s.relations(ctx, f, rel, r)
	search := f.Query
	q := s.db.Read(ctx).Table("members").Order("user_id").
		Select("id, source_type, source_id, user_id, effective.level AS access_level, expires_at, created_by_id, created_at, updated_at").
		Joins("JOIN ("+effectiveBegin+text+effectiveEnd+") AS effective ON effective.member_id = members.id", args...)
	if search != "" {
		q = q.Where("user_id IN (?)", namedLike(s.db.Read(ctx).Table("users").Select("id"), search))
	}
	rows, total, err := query.ListComputed[model.Member](q, p)
	if err != nil {
		return nil, Total{}, err
	}
	out, err := s.withUsers(ctx, rows)
	return out, total, err
}
