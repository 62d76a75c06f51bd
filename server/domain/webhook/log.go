package webhook

import (
	"strconv"

	"svc/server/platform/events"
	"svc/store"
)

// LogStatuses returns the statuses that a filter of the delivery log selects: successful, client_failure, server_failure, or
// one status. Any other text selects nothing.
func LogStatuses(filter string) []store.HookStatusRange {
	switch filter {
	case "successful":
		return []store.HookStatusRange{{From: 200, To: 299}}
	case "client_failure":
		return []store.HookStatusRange{{From: 400, To: 499}}
	case "server_failure":
		return []store.HookStatusRange{{From: 500, To: 599}, {From: 0, To: 0}}
	}
	code, err := strconv.ParseInt(filter, 10, 64)
	if err != nil {
		return nil
	}
	return []store.HookStatusRange{{From: code, To: code}}
}

// KindByFlag returns the kind of events that a flag of hooks of projects, or else of groups, selects.
func KindByFlag(flag string, group bool) (events.HookKind, bool) {
	kind, ok := events.HookKindByFlag(flag)
	return kind, ok && (kind.Project || kind.Group && group)
}
