package store

import "svc/store/model"

// callerColumns and callerFields belong together: what a query that joins users as u selects, and where it goes.
const callerColumns = "u.id, u.username, u.name, u.state, u.kind, u.admin, u.auditor, u.external, u.last_activity_on"

func callerFields(c *model.Caller) []any {
	return []any{&c.ID, &c.Username, &c.Name, &c.State, &c.Kind, &c.Admin, &c.Auditor, &c.External, &c.LastActivityOn}
}
