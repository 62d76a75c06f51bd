// Package users is user accounts.
package users

import (
	"svc/server/page"
	"svc/server/present"
	"svc/store"
)

// Users are the operations on user accounts.
type Users struct {
	store *store.Store
	show  present.Presenter
	pages page.MaxOffset
}

// New takes how users are shown.
func New(st *store.Store, show present.Presenter, pages page.MaxOffset) *Users {
	return &Users{store: st, show: show, pages: pages}
}
