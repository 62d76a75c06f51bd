// Package profiles is what users tell about themselves, whom they follow, their addresses and preferences.
package profiles

import (
	"svc/server/page"
	"svc/server/present"
	"svc/store"
)

// Profiles are the operations on profiles.
type Profiles struct {
	store *store.Store
	pages page.MaxOffset
	show  present.Presenter
}

// New takes how users are shown.
func New(st *store.Store, pages page.MaxOffset, show present.Presenter) *Profiles {
	return &Profiles{store: st, pages: pages, show: show}
}
