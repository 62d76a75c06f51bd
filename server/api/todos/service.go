// Package todos is what users are asked to look at.
package todos

import (
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Todos are the operations on to-do items.
type Todos struct {
	store *store.Store
	pages pagination.MaxOffset
	show  present.Presenter
}

// New takes where to-do items are kept.
func New(st *store.Store, pages pagination.MaxOffset, show present.Presenter) *Todos {
	return &Todos{store: st, pages: pages, show: show}
}
