// Package namespaces is the places that projects live in: users' own and groups.
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

// New takes how namespaces are found, judged and shown.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Namespaces {
	return &Namespaces{store: st, access: a, pages: pages, show: show}
}
