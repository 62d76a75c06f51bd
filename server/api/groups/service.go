// Package groups implements the API operations on groups and subgroups.
//
//	service.go                construction
//	create.go, update.go      create and change a group
//	delete.go, transfer.go    delete and move a group
//	transfer_location.go      the groups that a group can be moved into
//	get.go                    read a group
//	list.go, page.go          the lists of groups
//	share.go                  sharing a group with another group
//	project.go                moving a project into a group
//	export.go, import.go      export and import of a group
//	import_form.go            the form of an import
//	export_relations.go       exports of relations
package groups

import (
	"context"

	"svc/server/domain/group"
	"svc/server/domain/group/export"
	"svc/server/domain/project"
	"svc/server/domain/relationexport"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Groups implements the operations on groups.
type Groups struct {
	store         *store.Store
	access        *access.Access
	groups        *group.Service
	exports       *export.Service
	relations     *relationexport.Service
	projects      *project.Service
	limitDownload func(ctx context.Context, groupID int64) error
	pages         pagination.MaxOffset
	show          present.Presenter
}

// Dependencies are the dependencies of the group operations.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Groups    *group.Service
	Exports   *export.Service
	Relations *relationexport.Service
	Projects  *project.Service
	// LimitDownload counts a download of an export, and returns an error if there were too many.
	LimitDownload func(ctx context.Context, groupID int64) error
	Pages         pagination.MaxOffset
	Presenter     present.Presenter
}

// New returns the group operations.
func New(d Dependencies) *Groups {
	return &Groups{
		store: d.Store, access: d.Access, groups: d.Groups, exports: d.Exports, relations: d.Relations, projects: d.Projects,
		limitDownload: d.LimitDownload, pages: d.Pages, show: d.Presenter,
	}
}
