// Package mirrors implements the API operations on mirrors: repositories on other servers that projects push to, or pull
// from.
//
//	service.go  construction
//	push.go     mirrors that projects push to
//	pull.go     mirrors that projects pull from
package mirrors

import (
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Mirrors are the operations on mirrors.
type Mirrors struct {
	store   *store.Store
	access  *access.Access
	remotes *remote.Service
	pages   pagination.MaxOffset
}

// New returns the operations on mirrors.
func New(st *store.Store, a *access.Access, remotes *remote.Service, pages pagination.MaxOffset) *Mirrors {
	return &Mirrors{store: st, access: a, remotes: remotes, pages: pages}
}
