// Package members implements the API operations on members, access requests and invitations of groups and projects.
//
//	service.go         construction
//	source.go          the group or project of a request, and its permissions
//	member.go          the operations on members
//	add.go             adding members
//	change.go          listing, changing and removing members
//	access_request.go  access requests
//	invitation.go      invitations
//	membership.go      the memberships of a user
//	audit.go           audit and activity events
package members

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Members implements the operations on members.
type Members struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the member operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Members {
	return &Members{store: st, access: a, pages: pages, show: show}
}
