// Package variables manages the CI/CD variables of the instance, of groups and of projects.
//
//	service.go   the operations' dependencies
//	variable.go  the operations on instance variables
//	project.go   the operations on project variables
//	group.go     the operations on group variables
//	owned.go     what project and group variables share
//	rules.go     validation
//	audit.go     audit events
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
