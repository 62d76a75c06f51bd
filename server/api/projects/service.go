// Package projects is projects and what they are set to.
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

// Repositories are what becomes of the repositories when projects are made and changed.
type Repositories interface {
	// Has tells whether there is a storage of that name.
	Has(storage string) bool
	// Made makes the repository of a new project, in the transaction that makes the project.
	Made(ctx context.Context, p model.Project) error
	// Forked begins to copy the repository of a new fork, in the transaction that makes the fork.
	Forked(ctx context.Context, p model.Project) error
	// SetDefault makes another branch the default one; false if a repository with branches has no such one.
	SetDefault(ctx context.Context, p model.Project, branch string) (bool, error)
	// Schedule begins to move the repository of a project to another storage; it tells of it in the same transaction.
	Schedule(ctx context.Context, p model.Project, storage string, told func(ctx context.Context, m model.StorageMove) error) (model.StorageMove, error)
}

// Projects are the operations on projects.
type Projects struct {
	store  *store.Store
	repos  Repositories
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
	looks  *looks
	writer *commit.Writer
	events *events.Recorder
}

// New takes how projects are found, judged and shown, how their repositories begin and what becomes of them.
func New(st *store.Store, repos Repositories, a *access.Access, pages pagination.MaxOffset, show present.Presenter, w *commit.Writer, recorder *events.Recorder) *Projects {
	return &Projects{store: st, repos: repos, access: a, pages: pages, show: show, looks: newLooks(show), writer: w, events: recorder}
}
