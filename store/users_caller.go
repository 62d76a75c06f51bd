package store

import "svc/store/model"

// callerColumns are the columns of a caller in a query that joins users as u. callerFields returns the destinations in
// the same order.
const callerColumns = "u.id, u.username, u.name, u.state, u.kind, u.admin, u.auditor, u.external, u.last_activity_on, " +
	"u.locked_at, u.avatar"

func callerFields(c *model.Caller) []any {
	return []any{
		&c.ID, &c.Username, &c.Name, &c.State, &c.Kind, &c.Admin, &c.Auditor, &c.External, &c.LastActivityOn, &c.LockedAt, &c.Avatar,
	}
}
