// Package deploykeys manages deploy keys: SSH keys that give access to the repositories of projects.
//
//	service.go   construction
//	instance.go  the keys of the instance
//	project.go   the keys of a project
//	user.go      the keys of the projects of a user
//	present.go   keys as JSON
package deploykeys

import (
	"context"

	"svc/gen"
	"svc/server/domain/deploykey"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// DeployKeys are the operations on deploy keys.
type DeployKeys struct {
	store  *store.Store
	access *access.Access
	keys   *deploykey.Service
	pages  pagination.MaxOffset
}

// New returns the deploy key operations.
func New(st *store.Store, a *access.Access, keys *deploykey.Service, pages pagination.MaxOffset) *DeployKeys {
	return &DeployKeys{store: st, access: a, keys: keys, pages: pages}
}

// window reads the pagination parameters.
func (d *DeployKeys) window(ctx context.Context, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	return pagination.OffsetOnly(ctx, d.pages, "DeployKey", number, size, paging)
}
