// Package storagemoves schedules and shows the moves of repositories between storages.
package storagemoves

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// StorageMoves holds the operations on storage moves.
type StorageMoves struct {
	store  *store.Store
	access *access.Access
	events *events.Recorder
	repos  *lifecycle.Repositories
	queue  func(ctx context.Context, job lifecycle.MoveAll) error
	pages  pagination.MaxOffset
	show   present.Presenter
}

// Dependencies are the dependencies of the storage move operations.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Events       *events.Recorder
	Repositories *lifecycle.Repositories
	// Enqueue queues the job that moves all repositories of a kind, in the caller's transaction.
	Enqueue   func(ctx context.Context, job lifecycle.MoveAll) error
	Pages     pagination.MaxOffset
	Presenter present.Presenter
}

// New returns the storage move operations.
func New(d Dependencies) *StorageMoves {
	return &StorageMoves{
		store: d.Store, access: d.Access, events: d.Events, repos: d.Repositories, queue: d.Enqueue, pages: d.Pages,
		show: d.Presenter,
	}
}

// paginationKinds names the lists of moves for pagination.
var paginationKinds = map[model.RepositoryKind]pagination.Kind{
	model.ProjectRepository:   {Name: "Projects::RepositoryStorageMove"},
	model.SnippetRepository:   {Name: "Snippets::RepositoryStorageMove"},
	model.GroupWikiRepository: {Name: "Groups::RepositoryStorageMove"},
}

// auditTypes holds the audit event types for moving all repositories of a kind.
var auditTypes = map[model.RepositoryKind]string{
	model.ProjectRepository: "project_repository_moves_scheduled", model.SnippetRepository: "snippet_repository_moves_scheduled",
	model.GroupWikiRepository: "group_repository_moves_scheduled",
}

// list returns one page of moves and its headers. Owner 0 stands for all owners.
func (s *StorageMoves) list(
	ctx context.Context, kind model.RepositoryKind, owner int64, paging *gen.Pagination, number, size *int64,
) ([]model.StorageMoveRow, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := s.pages.Offset(ctx, paginationKinds[kind], number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.StorageMoves.List(ctx, kind, owner, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return rows, window.Headers(total), nil
}

// find returns a move. Owner 0 stands for any owner.
func (s *StorageMoves) find(ctx context.Context, kind model.RepositoryKind, owner, id int64) (model.StorageMoveRow, error) {
	row, err := s.store.StorageMoves.GetWithOwner(ctx, kind, owner, id)
	if store.IsNotFound(err) {
		return row, apierr.RecordNotFound()
	}
	return row, err
}

// scheduleAll schedules the move of all repositories of a kind.
func (s *StorageMoves) scheduleAll(ctx context.Context, kind model.RepositoryKind, body gen.StorageMovesCreate) error {
	if _, err := access.Allow(ctx, access.AdminStorageMove); err != nil {
		return err
	}
	job := lifecycle.MoveAll{Of: kind, Source: body.SourceStorageName}
	if body.DestinationStorageName != nil {
		job.Destination = *body.DestinationStorageName
	}
	switch {
	case !s.repos.HasStorage(job.Source):
		return apierr.BadParameter("source_storage_name does not have a valid value")
	case job.Destination != "" && (!s.repos.HasStorage(job.Destination) || job.Destination == job.Source):
		return apierr.BadParameter("destination_storage_name does not have a valid value")
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.queue(ctx, job); err != nil {
			return err
		}
		return s.events.Audit(ctx, events.Change{
			Type: auditTypes[kind], Entity: events.Instance, Target: events.Target{Type: "Storage", ID: job.Source, Details: job.Source},
			Field: "repository_storage", From: job.Source, To: job.Destination,
		})
	})
}

// schedule schedules the move of one repository. owner is the API's word for the repository's owner, used in errors.
func (s *StorageMoves) schedule(
	ctx context.Context, side lifecycle.Owner, from string, body *gen.StorageMoveCreate, owner string, c events.Change,
) (model.StorageMove, error) {
	to := ""
	if body != nil && body.DestinationStorageName != nil {
		to = *body.DestinationStorageName
	}
	if to != "" && !s.repos.HasStorage(to) {
		return model.StorageMove{}, apierr.Invalid("destination_storage_name", "is not included in the list")
	}
	m, err := s.repos.ScheduleFor(ctx, side, from, to, func(ctx context.Context, m model.StorageMove) error {
		c.Field, c.From, c.To = "repository_storage", m.SourceStorage, m.DestinationStorage
		return s.events.Audit(ctx, c)
	})
	switch {
	case errors.Is(err, lifecycle.ErrSameStorage):
		err = apierr.Invalid("destination_storage_name", "already holds the repository")
	case errors.Is(err, store.ErrReadOnly):
		err = apierr.Invalid(owner, "is read-only")
	}
	return m, err
}
