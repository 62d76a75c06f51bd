// Package projects implements the API operations on projects: their settings, forks, shares, stars and custom
// attributes.
//
//	service.go                 construction
//	create.go, update.go,
//	delete.go, archive.go      create, change, delete and archive a project
//	settings.go                the settings in a request, by column
//	get.go, import.go          show a project, and the progress of its import
//	list.go, list_by_group.go,
//	list_by_user.go            the lists of projects
//	filter.go                  the filters of lists
//	page.go                    one page of a list
//	cache.go                   a cache of the JSON of projects in lists
//	fork.go, fork_relation.go  forks and fork relations
//	transfer.go                moves to another namespace
//	share.go                   shares with groups
//	groups.go, locations.go    the groups around a project, and those that it can be moved to or shared with
//	repository.go              the place and the maintenance of the repository
//	star.go, starrers.go       stars
//	alias.go                   short names for git clients
//	users.go, languages.go     users and programming languages of a project
//	custom_attributes.go,
//	custom_attribute_set.go    custom attributes
//	not_modified.go            the answer to a request that changes nothing
package projects

import (
	"svc/server/domain/project"
	"svc/server/domain/project/alias"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Projects are the operations on projects.
type Projects struct {
	store    *store.Store
	access   *access.Access
	projects *project.Service
	remotes  *remote.Service
	pages    pagination.MaxOffset
	show     present.Presenter
	cache    *projectCache
	aliases  *alias.Service
}

// New returns the project operations.
func New(
	st *store.Store, a *access.Access, service *project.Service, remotes *remote.Service, pages pagination.MaxOffset,
	show present.Presenter,
) *Projects {
	return &Projects{
		store: st, access: a, projects: service, remotes: remotes, pages: pages, show: show, cache: newProjectCache(show),
		aliases: alias.New(st),
	}
}
