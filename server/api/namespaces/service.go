// Package namespaces shows the namespaces that contain projects: groups, and one personal namespace per user.
package namespaces

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Namespaces are the operations on namespaces.
type Namespaces struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the namespace operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Namespaces {
	return &Namespaces{store: st, access: a, pages: pages, show: show}
}
