// Package todos lists users' to-do items and marks them as done.
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

// New returns the to-do operations.
func New(st *store.Store, pages pagination.MaxOffset, show present.Presenter) *Todos {
	return &Todos{store: st, pages: pages, show: show}
}
