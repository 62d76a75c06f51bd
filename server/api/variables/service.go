// Package variables manages the CI/CD variables of the instance, of groups and of projects.
//
//	service.go                     construction
//	list.go, get.go                read the variables of projects and groups
//	create.go, update.go, delete.go
//	owner.go                       the project or group of a request
//	instance.go                    read and delete instance variables
//	instance_create.go,
//	instance_update.go             create and change instance variables
//	rules.go                       validation
//	audit.go                       audit events
package variables

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Variables are the operations on CI/CD variables.
type Variables struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	atMost int
}

// New returns the variable operations. atMost limits the number of instance variables.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, atMost int) *Variables {
	return &Variables{store: st, access: a, pages: pages, atMost: atMost}
}
