// Package profiles manages what users set about themselves: status, email addresses, preferences, and the users they
// follow.
package profiles

import (
	"svc/server/domain/account"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
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
