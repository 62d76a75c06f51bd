package storagemoves

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// auditTypes holds the audit event types for moving all repositories of a kind.
var auditTypes = map[model.RepositoryKind]string{
	model.ProjectRepository:   "project_repository_moves_scheduled",
	model.SnippetRepository:   "snippet_repository_moves_scheduled",
	model.GroupWikiRepository: "group_repository_moves_scheduled",
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
			Type: auditTypes[kind], Entity: events.Instance,
			Target: events.Target{Type: "Storage", ID: job.Source, Details: job.Source},
			Field:  "repository_storage", From: job.Source, To: job.Destination,
		})
	})
}

// schedule schedules the move of one repository. owner is the API's word for the repository's owner, used in errors.
func (s *StorageMoves) schedule(
	ctx context.Context, repository lifecycle.Owner, from string, body *gen.StorageMoveCreate, owner string,
	c events.Change,
) (model.StorageMove, error) {
	to := ""
	if body != nil && body.DestinationStorageName != nil {
		to = *body.DestinationStorageName
	}
	if to != "" && !s.repos.HasStorage(to) {
		return model.StorageMove{}, apierr.Invalid("destination_storage_name", "is not included in the list")
	}
	m, err := s.repos.ScheduleFor(ctx, repository, from, to, func(ctx context.Context, m model.StorageMove) error {
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
