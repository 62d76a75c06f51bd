// Package members is who has which role in a group or project, who asks for one and who is invited.
package members

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Members are the operations on memberships.
type Members struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New takes how members are found, judged and shown.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Members {
	return &Members{store: st, access: a, pages: pages, show: show}
}
