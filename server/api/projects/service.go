// Package projects manages projects: their settings, forks, shares, stars and custom attributes.
//
//	service.go           the operations' dependencies
//	project.go           create, show, change and delete a project
//	list.go              lists of projects and their filters
//	looks.go             a cache of the JSON of projects in lists
//	fields.go            the input of a request as columns
//	rules.go             validation, the target namespace, error texts
//	fork.go              forks and fork relations
//	transfer.go          moves to another namespace
//	archive.go           archive and unarchive
//	share.go             shares with groups
//	group.go             the groups around a project
//	star.go              stars
//	user.go              users and programming languages of a project
//	custom_attribute.go  custom attributes
//	audit.go             audit events
package projects

import (
	"context"

	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Repositories creates and changes the repositories of projects.
type Repositories interface {
	// HasStorage reports whether a storage of that name exists.
	HasStorage(storage string) bool
	// Create creates the repository of a new project, in the transaction that creates the project.
	Create(ctx context.Context, p model.Project) error
	// CreateFork schedules the copy of a repository for a new fork, in the transaction that creates the fork.
	CreateFork(ctx context.Context, p model.Project) error
	// SetDefault changes the default branch. It returns false if the repository has branches, but not this one.
	SetDefault(ctx context.Context, p model.Project, branch string) (bool, error)
	// Schedule schedules the move of a project's repository to another storage. It calls told in the same transaction,
	// unless told is nil.
	Schedule(
		ctx context.Context, p model.Project, storage string, told func(ctx context.Context, m model.StorageMove) error,
	) (model.StorageMove, error)
}

// Projects are the operations on projects.
type Projects struct {
	store  *store.Store
	repos  Repositories
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
	cache  *projectCache
	writer *commit.Writer
	events *events.Recorder
}

// Dependencies are the dependencies of the project operations.
type Dependencies struct {
	Store        *store.Store
	Repositories Repositories
	Access       *access.Access
	Pages        pagination.MaxOffset
	Presenter    present.Presenter
	Writer       *commit.Writer
	Events       *events.Recorder
}

// New returns the project operations.
func New(d Dependencies) *Projects {
	return &Projects{
		store: d.Store, repos: d.Repositories, access: d.Access, pages: d.Pages, show: d.Presenter,
		cache: newProjectCache(d.Presenter), writer: d.Writer, events: d.Events,
	}
}
