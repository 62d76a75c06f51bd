// Package avatars implements the API operations on the avatars of users, groups and projects.
package avatars

import (
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
)

// Avatars implements the operations on avatars.
type Avatars struct {
	store  *store.Store
	access *access.Access
	show   present.Presenter
}

// New returns the avatar operations.
func New(st *store.Store, a *access.Access, show present.Presenter) *Avatars {
	return &Avatars{store: st, access: a, show: show}
}
