package project

import (
	"context"

	"svc/server/platform/events"
	"svc/store/model"
)

// Housekeep queues the maintenance of the repository of a project.
func (s *Service) Housekeep(ctx context.Context, p model.Project) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(p, "project_housekeeping_started", "Started the maintenance of the repository")
		return c, s.repos.QueueMaintenance(ctx, p.ID)
	})
}
