package runner

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Assign assigns a project runner to another project.
func (s *Service) Assign(ctx context.Context, row model.Runner, project model.Project) error {
	switch {
	case row.RunnerType == model.InstanceRunner:
		return apierr.Forbidden("Runner is an instance runner")
	case row.RunnerType == model.GroupRunner:
		return apierr.Forbidden("Runner is a group runner")
	case row.Locked:
		return apierr.Forbidden("Runner is locked")
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := auditEvent(ctx, events.Project(project), row, "ci_runner_assigned", "Assigned runner to project")
		return c, s.store.Runners.Assign(ctx, row.ID, project.ID)
	})
	var already *store.ConflictError
	if errors.As(err, &already) {
		return apierr.Invalid("runner_id", "has already been taken")
	}
	return err
}

// Unassign removes a runner from a project. The project that the runner was created for keeps it.
func (s *Service) Unassign(
	ctx context.Context, runnerID int64, project model.Project, unmodifiedSince *time.Time,
) error {
	ids, err := s.store.Runners.ProjectIDs(ctx, runnerID)
	if err != nil {
		return err
	}
	for i, id := range ids {
		switch {
		case id != project.ID:
			continue
		case len(ids) == 1:
			return apierr.Forbidden("Only one project associated with the runner. Please remove the runner instead")
		case i == 0:
			return apierr.Forbidden("You cannot unassign a runner from the owner project. Delete the runner instead")
		}
		return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
			c := auditEvent(
				ctx, events.Project(project), model.Runner{ID: runnerID}, "ci_runner_unassigned",
				"Unassigned runner from project",
			)
			return c, s.store.Runners.Unassign(ctx, runnerID, id, unmodifiedSince)
		})
	}
	return apierr.NotFound("Runner")
}
