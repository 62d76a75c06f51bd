// Package badges implements the API operations on badges: images with links that projects and groups display.
//
//	service.go          construction
//	owner.go            the project or group of a request
//	list.go, get.go     read badges
//	render.go           preview of a badge
//	create.go, update.go, delete.go
//	placeholders.go     the values of placeholders in URLs
package badges

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/git"
)

// Badges implements the operations on badges.
type Badges struct {
	store  *store.Store
	access *access.Access
	repos  *git.Repositories
	pages  pagination.MaxOffset
}

// New returns the badge operations.
func New(st *store.Store, a *access.Access, repos *git.Repositories, pages pagination.MaxOffset) *Badges {
	return &Badges{store: st, access: a, repos: repos, pages: pages}
}
