// Package groups implements the API operations on groups and subgroups.
//
//	service.go  construction
//	group.go    create, read, change, delete and transfer a group
//	list.go     the lists of groups
//	fields.go   the fields of a group, and writing them
//	rules.go    validation, and the messages of errors
//	share.go    sharing a group with another group
//	project.go  the projects of a group
//	export.go   export of a group
//	import.go   import of a group
package groups

import (
	"context"

	"svc/server/domain/group/export"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Groups implements the operations on groups.
type Groups struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter

	exports       *export.Service
	limitDownload func(ctx context.Context, groupID int64) error
}

// New returns the group operations. counted counts the downloads of an export, and returns an error if there were too
// many.
func New(
	st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter, parcels *export.Service,
	counted func(ctx context.Context, groupID int64) error,
) *Groups {
	return &Groups{store: st, access: a, pages: pages, show: show, exports: parcels, limitDownload: counted}
}
