// Package users manages user accounts.
//
//	service.go        the operations' dependencies
//	user.go           list and show users
//	filter.go         the filters and orders of lists
//	current.go        the caller's own account
//	count.go          counts of memberships, issues and to-do items
//	activity.go       when users were last active
//	write.go          create and change users
//	fields.go         the input of a request as columns
//	address.go        changes of email addresses
//	identity.go       identities at external providers
//	attribute.go      custom attributes
//	state.go          block, deactivate and ban
//	moved.go          the answers to changes of state
//	approval.go       approve and reject sign-ups, turn off two-factor authentication
//	delete_worker.go  delete users in the background
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
	letters *account.Mails
}

// New returns the user operations. enqueue queues a deletion in the caller's transaction.
func New(
	st *store.Store, show present.Presenter, pages pagination.MaxOffset, enqueue func(context.Context, Deletion) error,
	letters *account.Mails,
) *Users {
	return &Users{store: st, show: show, pages: pages, enqueue: enqueue, letters: letters}
}
