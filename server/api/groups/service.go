// Package groups is groups of projects, and groups in groups.
package groups

import (
	"context"

	"svc/server/domain/group/export"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Groups are the operations on groups.
type Groups struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter

	parcels *export.Keeper
	counted func(ctx context.Context, groupID int64) error
}

// New takes how groups are found, judged and shown, who exports and imports them, and how downloads are counted.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter, parcels *export.Keeper, counted func(ctx context.Context, groupID int64) error) *Groups {
	return &Groups{store: st, access: a, pages: pages, show: show, parcels: parcels, counted: counted}
}
