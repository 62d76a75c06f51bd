// Package notifications manages users' settings for notification emails: globally, per group and per project.
//
//	service.go  construction
//	global.go   the global settings
//	group.go    the settings for a group
//	project.go  the settings for a project
//	change.go   the event flags of a request
//	present.go  present settings
package notifications

import (
	"svc/server/domain/notification"
	"svc/server/platform/access"
	"svc/store"
)

// Notifications are the operations on notification settings.
type Notifications struct {
	store    *store.Store
	access   *access.Access
	settings *notification.Service
	epics    bool // the tier has epics
}

// New returns the notification operations. epics says whether the tier has epics.
func New(st *store.Store, a *access.Access, epics bool) *Notifications {
	return &Notifications{store: st, access: a, settings: notification.New(st, epics), epics: epics}
}
