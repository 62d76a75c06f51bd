// Package hooks implements the API operations on webhooks of projects and groups, and on system hooks.
//
//	service.go         construction
//	owner.go           the project, the group or the instance of a request
//	list.go, get.go    read hooks
//	create.go, update.go, delete.go
//	input.go           the members of bodies
//	values.go          custom headers and URL variables
//	deliveries.go      the delivery log and resends
//	test.go            tests
package hooks

import (
	"svc/server/domain/webhook"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Hooks implements the operations on webhooks.
type Hooks struct {
	store  *store.Store
	access *access.Access
	hooks  *webhook.Service
	pages  pagination.MaxOffset
}

// New returns the webhook operations.
func New(st *store.Store, a *access.Access, hooks *webhook.Service, pages pagination.MaxOffset) *Hooks {
	return &Hooks{store: st, access: a, hooks: hooks, pages: pages}
}
