// Package variables is CI/CD variables.
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

// New takes how projects and groups are judged, and how many variables the instance may have.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, atMost int) *Variables {
	return &Variables{store: st, access: a, pages: pages, atMost: atMost}
}
