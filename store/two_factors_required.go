package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// twoFactorGroups joins the group memberships m of a user with the groups n that require a second factor. A member of a
// group is also a member of its subgroups, and must meet the requirements of its ancestors. Arguments: today, twice. If
// user is a placeholder, the user comes before each of them.
func twoFactorGroups(columns, user string) string {
	member := " AND m.user_id = " + user + " AND m.source_type = '" + model.SourceGroup +
		"' AND (m.expires_at IS NULL OR m.expires_at > ?) " +
		"AND n.require_two_factor_authentication = true"
	return "SELECT " + columns +
		" FROM members m JOIN namespace_ancestors a ON a.descendant_id = m.source_id JOIN namespaces n ON n.id = a.ancestor_id" +
		" WHERE a.depth >= 0" + member +
		" UNION ALL SELECT " + columns +
		" FROM namespaces n JOIN namespace_ancestors a ON a.descendant_id = n.id JOIN members m ON m.source_id = a.ancestor_id" +
		" WHERE a.depth > 0" + member
}

// twoFactorMissing is true if a group requires a second factor and the user u has none. If no group requires one, it
// costs one lookup in an empty index.
var twoFactorMissing = "CASE WHEN u.two_factor = true OR NOT EXISTS (SELECT 1 FROM namespaces WHERE " +
	"require_two_factor_authentication = true) " +
	"THEN false ELSE EXISTS (" + twoFactorGroups("1", "u.id") + ") END"

// twoFactorMembership contains when a group began to require a second factor, when the member joined, and the grace period
// in hours.
type twoFactorMembership struct {
	RequiredAt, JoinedAt *time.Time
	Grace                int64
}

// TwoFactorDue returns when a user must have a second factor because of a group: the earliest end of a grace period, or
// nil if no group requires one. A grace period begins when the group requires the factor or, if later, when the user
// joins.
func (s Members) TwoFactorDue(ctx context.Context, userID int64) (*time.Time, error) {
	q := s.db.Read(ctx).Raw(
		twoFactorGroups("n.two_factor_required_at AS required_at, m.created_at AS joined_at, n.two_factor_grace_period AS grace", "?"),
		userID, s.today(), userID, s.today())
	rows, err := query.Find[twoFactorMembership](q, 1)
	if err != nil {
		return nil, query.Translate(err)
	}
	var due *time.Time
	for _, row := range rows {
		var from time.Time
		for _, at := range []*time.Time{row.RequiredAt, row.JoinedAt} {
			if at != nil && at.After(from) {
				from = *at
			}
		}
		if end := from.Add(time.Duration(row.Grace) * time.Hour); due == nil || end.Before(*due) {
			due = &end
		}
	}
	return due, nil
}
