// Package events implements the API operations that list the activity of users.
//
//	service.go  construction
//	own.go      events of the caller
//	user.go     events of a user
//	project.go  events of a project
//	query.go    the parameters of a list
//	list.go     a page of events
package events

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Events implements the operations on events.
type Events struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the event operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Events {
	return &Events{store: st, access: a, pages: pages, show: show}
}
