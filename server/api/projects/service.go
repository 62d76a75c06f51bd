// Package projects implements the API operations on projects: their settings, forks, shares, stars and custom
// attributes.
//
//	service.go                 construction
//	create.go, update.go,
//	delete.go, archive.go      create, change, delete and archive a project
//	settings.go                the settings in a request, by column
//	get.go                     show a project
//	export.go                  exports
//	export_relations.go        exports of relations
//	import.go, import_form.go  imports from files, and their progress
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
	"context"

	"svc/server/domain/project"
	"svc/server/domain/project/alias"
	"svc/server/domain/project/export"
	"svc/server/domain/relationexport"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Projects are the operations on projects.
type Projects struct {
	store         *store.Store
	access        *access.Access
	projects      *project.Service
	remotes       *remote.Service
	exports       *export.Service
	relations     *relationexport.Service
	limitDownload func(ctx context.Context, projectID int64) error
	pages         pagination.MaxOffset
	show          present.Presenter
	cache         *projectCache
	aliases       *alias.Service
	url           string
}

// Dependencies are the dependencies of the project operations.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Projects  *project.Service
	Remotes   *remote.Service
	Exports   *export.Service
	Relations *relationexport.Service
	// LimitDownload counts a download of an export, and returns an error if there were too many.
	LimitDownload func(ctx context.Context, projectID int64) error
	Pages         pagination.MaxOffset
	Presenter     present.Presenter
	URL           string // of the service
}

// New returns the project operations.
func New(d Dependencies) *Projects {
	return &Projects{
		store: d.Store, access: d.Access, projects: d.Projects, remotes: d.Remotes, exports: d.Exports, relations: d.Relations,
		limitDownload: d.LimitDownload, pages: d.Pages, show: d.Presenter, cache: newProjectCache(d.Presenter),
		aliases: alias.New(d.Store), url: d.URL,
	}
}
