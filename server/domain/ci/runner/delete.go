package runner

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Delete deletes a runner on behalf of a user. A runner of several projects is refused. If unmodifiedSince is not nil,
// a runner that was changed after that time is refused too.
func (s *Service) Delete(ctx context.Context, row model.Runner, unmodifiedSince *time.Time) error {
	projects, err := s.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return err
	}
	if len(projects) > 1 {
		return apierr.Forbidden("Runner associated with more than one project")
	}
	return s.audited(ctx, &row, projects, "ci_runner_deleted", "Removed runner", func(ctx context.Context) error {
		return s.store.Runners.Delete(ctx, row.ID, unmodifiedSince)
	})
}

// Unregister deletes a runner on behalf of the runner itself.
func (s *Service) Unregister(ctx context.Context, row model.Runner, unmodifiedSince *time.Time) error {
	err := s.auditedExisting(ctx, &row, "ci_runner_deleted", "Removed runner", func(ctx context.Context) error {
		return s.store.Runners.Delete(ctx, row.ID, unmodifiedSince)
	})
	if store.IsNotFound(err) {
		err = apierr.Forbidden() // another caller has deleted it meanwhile, and its token with it
	}
	return err
}
