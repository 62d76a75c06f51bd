// Package users is user accounts.
package users

import (
	"context"

	"svc/server/domain/account"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Users are the operations on user accounts.
type Users struct {
	store   *store.Store
	show    present.Presenter
	pages   pagination.MaxOffset
	enqueue func(context.Context, Deletion) error
	letters *account.Letters
	guards  []Guard
}

// New takes how users are shown, how a deletion is queued in the caller's transaction, who writes to users, and who is asked
// before a deletion.
func New(st *store.Store, show present.Presenter, pages pagination.MaxOffset, enqueue func(context.Context, Deletion) error, letters *account.Letters, guards ...Guard) *Users {
	return &Users{store: st, show: show, pages: pages, enqueue: enqueue, letters: letters, guards: guards}
}
