// Package storagemoves schedules and shows the moves of repositories between storages.
//
//	service.go                                       construction
//	all_projects.go, all_groups.go, all_snippets.go  moves of all repositories of a kind
//	project.go, group.go, snippet.go                 read the moves of one repository
//	create.go                                        move one repository
//	read.go                                          lists and single moves
//	schedule.go                                      new moves
package storagemoves

import (
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// StorageMoves holds the operations on storage moves.
type StorageMoves struct {
	store  *store.Store
	access *access.Access
	repos  *lifecycle.Repositories
	pages  pagination.MaxOffset
	show   present.Presenter
}

// Dependencies are the dependencies of the storage move operations.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Repositories *lifecycle.Repositories
	Pages        pagination.MaxOffset
	Presenter    present.Presenter
}

// New returns the storage move operations.
func New(d Dependencies) *StorageMoves {
	return &StorageMoves{
		store: d.Store, access: d.Access, repos: d.Repositories, pages: d.Pages,
		show: d.Presenter,
	}
}
