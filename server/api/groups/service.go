// Package groups is groups of projects, and groups in groups.
package groups

import (
	"svc/server/access"
	"svc/server/page"
	"svc/server/present"
	"svc/store"
)

// Groups are the operations on groups.
type Groups struct {
	store  *store.Store
	access *access.Access
	pages  page.MaxOffset
	show   present.Presenter
}

// New takes how groups are found, judged and shown.
func New(st *store.Store, a *access.Access, pages page.MaxOffset, show present.Presenter) *Groups {
	return &Groups{store: st, access: a, pages: pages, show: show}
}
