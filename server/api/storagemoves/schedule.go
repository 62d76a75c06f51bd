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
	return s.repos.ScheduleAll(ctx, job)
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
	m, err := s.repos.ScheduleFor(ctx, repository, from, to, s.repos.Audit(c))
	switch {
	case errors.Is(err, lifecycle.ErrSameStorage):
		err = apierr.Invalid("destination_storage_name", "already holds the repository")
	case errors.Is(err, store.ErrReadOnly):
		err = apierr.Invalid(owner, "is read-only")
	}
	return m, err
}
