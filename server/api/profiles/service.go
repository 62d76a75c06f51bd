// Package profiles manages what users set about themselves: status, email addresses, preferences, and the users they
// follow.
//
//	service.go        construction
//	email_list.go     list and show secondary email addresses
//	email_create.go   add email addresses
//	email_delete.go   remove email addresses
//	follow.go         follow and unfollow users
//	follow_list.go    list followers and followed users
//	status.go         show statuses
//	status_update.go  replace or change the caller's status
//	status_input.go   read a status from a request
//	preferences.go    the caller's preferences
package profiles

import (
	"context"

	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Profiles are the operations on profiles.
type Profiles struct {
	store *store.Store
	pages pagination.MaxOffset
	show  present.Presenter

	letters *account.Mails
}

// New returns the profile operations.
func New(st *store.Store, pages pagination.MaxOffset, show present.Presenter, letters *account.Mails) *Profiles {
	return &Profiles{store: st, pages: pages, show: show, letters: letters}
}

// managed returns the user whose addresses an administrator wants to manage.
func (p *Profiles) managed(ctx context.Context, ref string) (model.User, error) {
	if _, err := access.Allow(ctx, access.AdminUserEmail); err != nil {
		return model.User{}, err
	}
	return access.FindUser(ctx, p.store, ref)
}
