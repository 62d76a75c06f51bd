// Package variables is CI/CD variables.
package variables

import (
	"svc/server/page"
	"svc/store"
)

// Variables are the operations on CI/CD variables.
type Variables struct {
	store  *store.Store
	pages  page.MaxOffset
	atMost int
}

// New takes how many variables the instance may have.
func New(st *store.Store, pages page.MaxOffset, atMost int) *Variables {
	return &Variables{store: st, pages: pages, atMost: atMost}
}
