// Package storagemoves is the moves of repositories between storages.
package storagemoves

import (
	"context"

	"svc/server/access"
	"svc/server/apierr"
	"svc/server/events"
	"svc/server/page"
	"svc/server/repos"
	"svc/store"
	"svc/store/model"
)

// StorageMoves are the operations on moves.
type StorageMoves struct {
	store  *store.Store
	access *access.Access
	events *events.Recorder
	repos  *repos.Keeper
	queue  func(ctx context.Context, job repos.MoveAll) error
	pages  page.MaxOffset
}

// New takes who moves repositories, and the queue.
func New(st *store.Store, a *access.Access, recorder *events.Recorder, keeper *repos.Keeper, queue func(ctx context.Context, job repos.MoveAll) error, pages page.MaxOffset) *StorageMoves {
	return &StorageMoves{store: st, access: a, events: recorder, repos: keeper, queue: queue, pages: pages}
}

var kind = page.Kind{Name: "Projects::RepositoryStorageMove"}

// found tells of a move that is not there.
func found(err error) error {
	if store.IsNotFound(err) {
		return apierr.RecordNotFound()
	}
	return err
}

// told writes that a repository is moved.
func (s *StorageMoves) told(p model.Project) func(ctx context.Context, m model.ProjectStorageMove) error {
	return func(ctx context.Context, m model.ProjectStorageMove) error {
		return s.events.Audit(ctx, events.Change{
			Type: "project_repository_move_scheduled", Entity: events.Project(p), Target: events.Target{Type: "Project", ID: p.ID, Details: p.FullPath},
			Field: "repository_storage", From: m.SourceStorage, To: m.DestinationStorage,
		})
	}
}
