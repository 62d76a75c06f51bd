package store

import (
	"context"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"
)

// MemberFilter narrows a list of members.
type MemberFilter struct {
	SourceType string
	SourceID   int64
	Inherited  bool // also members of the groups above and of invited groups, with the highest role
	Query      string
	UserIDs    []int64
	Least      model.Access // only members with at least this role; 0 for all
}

// List returns one page of members, ordered by user id, with the columns of their users that lists show.
func (s Members) List(ctx context.Context, f MemberFilter, p Page) ([]model.MemberRow, Total, error) {
	read := s.listDirect
	if f.Inherited {
		read = s.listEffective
	}
	rows, total, err := read(ctx, f, p)
	if err != nil {
		return nil, Total{}, err
	}
	return rows, total, s.addMakers(ctx, rows)
}

// memberListed names the columns of a member m and of the user u that lists show. The role follows. memberListedFields
// returns the destinations in the same order.
const memberListed = "m.id, m.source_type, m.source_id, m.user_id, m.member_role_id, m.expires_at, m.created_by_id, m.created_at, " +
	"m.updated_at, " + memberUserColumns + ", "

// memberUserColumns are the columns of a user u among them. memberUserFields returns the destinations.
const memberUserColumns = basicUserColumns + ", u.kind, u.email, u.public_email"

func memberListedFields(row *model.MemberRow) []any {
	m := &row.Member
	fields := append(make([]any, 0, 24),
		&m.ID, &m.SourceType, &m.SourceID, &m.UserID, &m.MemberRoleID, &m.ExpiresAt, &m.CreatedByID, &m.CreatedAt, &m.UpdatedAt)
	return append(append(fields, memberUserFields(&row.User)...), &m.AccessLevel)
}

func memberUserFields(u *model.User) []any {
	return append(basicUserFields(u), &u.Kind, &u.Email, &u.PublicEmail)
}

// listDirect returns one page of the members of the group or project itself.
func (s Members) listDirect(ctx context.Context, f MemberFilter, p Page) ([]model.MemberRow, Total, error) {
	// A left join, because the databases leave it out when they count the rows.
	from := condition{
		"members m LEFT JOIN users u ON u.id = m.user_id WHERE m.source_type = " + opaqueText + " AND m.source_id = " + opaqueNumber +
			" AND (m.expires_at IS NULL OR m.expires_at > ?)",
		[]any{f.SourceType, f.SourceID, s.today()},
	}
	s.narrow(&from, f, "m.user_id")
	if f.Least > 0 {
		from.and(atLeast("m.access_level", f.Least))
	}
	return countedList[model.MemberRow]{
		columns: memberListed + "m.access_level", from: from, order: "m.user_id", fields: memberListedFields,
	}.page(ctx, s.base, p)
}

// listEffective returns one page of the members with their highest role in a group or project.
func (s Members) listEffective(ctx context.Context, f MemberFilter, p Page) ([]model.MemberRow, Total, error) {
	all := s.rolesIn(f)
	all.text = "(" + all.text + ") AS roles WHERE TRUE"
	s.narrow(&all, f, "member_user")
	all.text = "SELECT member_user, max(" + rankOfRole + ") AS best FROM " + all.text + " GROUP BY member_user"
	if f.Least > 0 {
		all.text += " HAVING " + atLeast("max(level)", f.Least)
	}
	page := "WITH chosen AS MATERIALIZED (" + all.text + ") " +
		withLimit("SELECT member_user, best, (SELECT count(*) FROM chosen) AS total FROM chosen ORDER BY member_user", p.Limit+1)
	rest := "(" + page + ") AS page CROSS JOIN members m CROSS JOIN users u WHERE m.id = " + memberOfRank("page.best") +
		" AND u.id = m.user_id ORDER BY page.member_user"
	var total int64
	rows, err := readRows(ctx, s.base, memberListed+levelOfRank("page.best")+", page.total",
		condition{rest, append(slices.Clip(all.args), p.Offset)}, p.Limit+1,
		func(row *model.MemberRow) []any { return append(memberListedFields(row), &total) })
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if len(rows) > 0 {
			return total, nil
		}
		return s.countRows(ctx, condition{"(" + all.text + ") AS chosen", all.args}) // no row has the number
	})
}

// narrow adds the conditions of the filter on a column with the ids of users.
func (s Members) narrow(c *condition, f MemberFilter, column string) {
	if len(f.UserIDs) > 0 {
		in := s.inIDs(f.UserIDs)
		c.and(column+" "+in.text, in.args...)
	}
	if f.Query != "" {
		like := "%" + likeEscaper.Replace(f.Query) + "%"
		c.and(column+" IN (SELECT id FROM users WHERE lower(name) LIKE lower(?) ESCAPE '\\' OR lower(username) LIKE lower(?) ESCAPE '\\')",
			like, like)
	}
}

// addMakers adds the custom roles of members and the users who added them. Most of those are on the page themselves.
func (s Members) addMakers(ctx context.Context, rows []model.MemberRow) error {
	users := make(map[int64]*model.User, len(rows)+1)
	for i := range rows {
		users[rows[i].User.ID] = &rows[i].User
	}
	var missing, roleIDs []int64
	for _, row := range rows {
		if by := row.Member.CreatedByID; by != nil && users[*by] == nil {
			missing = append(missing, *by)
		}
		if row.Member.MemberRoleID != nil {
			roleIDs = append(roleIDs, *row.Member.MemberRoleID)
		}
	}
	others, err := Users(s).byID(ctx, missing, memberUserColumns, memberUserFields)
	if err != nil {
		return err
	}
	for id, u := range others {
		users[id] = &u
	}
	roles, err := MemberRoles(s).ByID(ctx, roleIDs)
	for i := range rows {
		row := &rows[i]
		if id := row.Member.MemberRoleID; id != nil {
			if role, ok := roles[*id]; ok {
				row.Role = &role
			}
		}
		row.Maker = of(users, row.Member.CreatedByID)
	}
	return err
}
