package project

import (
	"context"

	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// recordCreated records the audit event and the activity event of a new project.
func (s *Service) recordCreated(ctx context.Context, row model.Project, kind, message string) error {
	if err := events.Audit(ctx, s.store, events.OfProject(row, kind, message)); err != nil {
		return err
	}
	author := reqctx.Of(ctx).Actor.User.ID
	return s.store.Events.Create(ctx, row, &model.Event{AuthorID: author, Action: model.EventCreated})
}

// recordChanges records an audit event for each change of a project.
func (s *Service) recordChanges(ctx context.Context, before model.Project, picture bool) error {
	after, err := s.store.Projects.Changed(ctx, before.ID)
	if err != nil {
		return err
	}
	changes := events.Differences(before, after, events.OfProject(before, "project_updated", ""))
	if picture {
		changes = append(changes, events.OfProject(before, "project_updated", "Changed the picture"))
	}
	return events.Audit(ctx, s.store, changes...)
}
