package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// billable selects the users who take part in a group, its subgroups or its projects, each with the first way in which they do.
// Users with minimal access do not count. Arguments: group, today; group, today, today; group, today; group, today, today.
const billable = `SELECT user_id, min(way) AS way FROM (
  SELECT m.user_id, 1 AS way FROM namespace_ancestors a JOIN members m ON m.source_type = 'Namespace' AND m.source_id = a.descendant_id
   WHERE a.ancestor_id = ? AND m.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
  UNION ALL
  SELECT m.user_id, 2 FROM namespace_ancestors a JOIN group_links l ON l.group_id = a.descendant_id
    JOIN namespace_ancestors b ON b.descendant_id = l.shared_with_group_id
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id
   WHERE a.ancestor_id = ? AND m.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
     AND (l.expires_at IS NULL OR l.expires_at > ?)
  UNION ALL
  SELECT m.user_id, 3 FROM namespace_ancestors a JOIN projects p ON p.namespace_id = a.descendant_id
    JOIN members m ON m.source_type = 'Project' AND m.source_id = p.id
   WHERE a.ancestor_id = ? AND m.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
  UNION ALL
  SELECT m.user_id, 4 FROM namespace_ancestors a JOIN projects p ON p.namespace_id = a.descendant_id
    JOIN project_links l ON l.project_id = p.id JOIN namespace_ancestors b ON b.descendant_id = l.group_id
    JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id
   WHERE a.ancestor_id = ? AND m.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
     AND (l.expires_at IS NULL OR l.expires_at > ?)
) AS ways GROUP BY user_id`

// BillableFilter narrows and orders a list of billable members.
type BillableFilter struct {
	Search string // part of the name or username
	UserID int64  // only this user; 0 for all
	Order  string // name or last_activity_on
	Desc   bool
}

// waysOfMembers are the names of the ways in the query.
var waysOfMembers = map[int64]string{
	1: model.InGroup, 2: model.ByGroupInvite, 3: model.InProjectOfGroup, 4: model.ByProjectInvite,
}

// billableRow is a row of the query: the ID of a user, and the way.
type billableRow struct {
	ID  int64
	Way int64
}

// ListBillable returns one page of the people who take part in a group, its subgroups or its projects. Blocked users, bots and
// internal accounts do not count.
func (s Members) ListBillable(ctx context.Context, groupID int64, f BillableFilter, p Page) ([]model.BillableMember, Total, error) {
	day := s.today()
	q := s.db.Read(ctx).Table("users").Select("users.id AS id, taking.way AS way").
		Joins("JOIN ("+billable+") AS taking ON taking.user_id = users.id",
			groupID, day, groupID, day, day, groupID, day, groupID, day, day).
		Where("users.kind = ? AND users.state = ?", model.UserHuman, model.UserActive)
	if f.UserID != 0 {
		q = q.Where("users.id = ?", f.UserID)
	}
	column, direction := "lower(users.name)", ""
	if f.Order == "last_activity_on" {
		column = "users.last_activity_on"
	}
	if f.Desc {
		direction = " DESC"
	}
	rows, total, err := query.ListFiltered[billableRow](namedLike(q, f.Search).Order(column+direction).Order("users.id"), p)
	if err != nil {
		return nil, total, err
	}
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	users, err := Users(s).ByID(ctx, ids)
	list := make([]model.BillableMember, len(rows))
	for i, row := range rows {
		list[i] = model.BillableMember{UserID: row.ID, MembershipType: waysOfMembers[row.Way], User: users[row.ID]}
	}
	return list, total, err
}

// OwnersOf returns the users who own a group directly.
func (s Members) OwnersOf(ctx context.Context, groupID int64) (ids []int64, err error) {
	err = s.db.Read(ctx).Model(&model.Member{}).
		Where("source_type = ? AND source_id = ? AND access_level >= ? AND (expires_at IS NULL OR expires_at > ?)",
			model.SourceGroup, groupID, model.Owner, s.today()).Pluck("user_id", &ids).Error
	return ids, query.Translate(err)
}

// ListBelow returns one page of the memberships of a user in a group, its subgroups and its projects, newest first.
func (s Members) ListBelow(ctx context.Context, groupID, userID int64, p Page) ([]model.PlaceMembership, Total, error) {
	const columns = "m.id, m.source_type, m.source_id, m.access_level, m.expires_at, m.created_at"
	q := s.db.Read(ctx).Table("(?) AS memberships", s.db.Read(ctx).Raw(
		"SELECT "+columns+", n.full_name, n.full_path FROM namespace_ancestors a JOIN namespaces n ON n.id = a.descendant_id "+
			"JOIN members m ON m.source_type = 'Namespace' AND m.source_id = n.id WHERE a.ancestor_id = ? AND m.user_id = ? "+
			"AND (m.expires_at IS NULL OR m.expires_at > ?) UNION ALL "+
			"SELECT "+columns+", j.full_name, j.full_path FROM namespace_ancestors a JOIN projects j ON j.namespace_id = a.descendant_id "+
			"JOIN members m ON m.source_type = 'Project' AND m.source_id = j.id WHERE a.ancestor_id = ? AND m.user_id = ? "+
			"AND (m.expires_at IS NULL OR m.expires_at > ?)", groupID, userID, s.today(), groupID, userID, s.today()))
	return query.ListFiltered[model.PlaceMembership](q.Order("id DESC"), p)
}
