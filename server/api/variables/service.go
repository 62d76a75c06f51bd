// Package variables manages the CI/CD variables of the instance, of groups and of projects.
//
//	service.go                     construction
//	list.go, get.go                read the variables of projects and groups
//	create.go, update.go, delete.go
//	owner.go                       the project or group of a request
//	instance.go                    read and delete instance variables
//	instance_create.go,
//	instance_update.go             create and change instance variables
package variables

import (
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Variables are the operations on CI/CD variables.
type Variables struct {
	store     *store.Store
	access    *access.Access
	variables *variablestore.Service
	pages     pagination.MaxOffset
}

// New returns the variable operations.
func New(st *store.Store, a *access.Access, variables *variablestore.Service, pages pagination.MaxOffset) *Variables {
	return &Variables{store: st, access: a, variables: variables, pages: pages}
}
