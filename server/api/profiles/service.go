// Package profiles is what users tell about themselves, whom they follow, their addresses and preferences.
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

	letters *account.Letters
}

// New takes how users are shown, and who writes to them.
func New(st *store.Store, pages pagination.MaxOffset, show present.Presenter, letters *account.Letters) *Profiles {
	return &Profiles{store: st, pages: pages, show: show, letters: letters}
}
