// Package members implements the API operations on members, access requests and invitations of groups and projects.
//
//	service.go                 construction
//	source.go                  the group or project of a request, and its permissions
//	list.go                    list direct members
//	list_all.go                list members, with those of the groups above
//	get.go                     show a member
//	create.go                  add members
//	created.go                 the answer to adding members
//	users.go                   the users to add
//	update.go                  change members
//	delete.go                  remove members
//	access_request_list.go     list access requests
//	access_request_create.go   request access
//	access_request_delete.go   deny access
//	access_request_approve.go  approve access
//	invitation_list.go         list invitations
//	invitation_create.go       invite mail addresses and users
//	invitation_update.go       change invitations
//	invitation_delete.go       withdraw invitations
//	membership.go              the memberships of a user
//	role.go                    custom roles
//	role_permissions.go        the permissions of custom roles in requests
//	billable.go                the people who take part in a group
package members

import (
	"svc/server/domain/member"
	"svc/server/domain/member/role"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Members implements the operations on members.
type Members struct {
	store   *store.Store
	access  *access.Access
	members *member.Service
	roles   *role.Service
	pages   pagination.MaxOffset
	show    present.Presenter
}

// New returns the member operations.
func New(
	st *store.Store, a *access.Access, members *member.Service, pages pagination.MaxOffset, show present.Presenter,
) *Members {
	return &Members{store: st, access: a, members: members, roles: role.New(st), pages: pages, show: show}
}
