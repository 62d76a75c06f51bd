package project

import (
	"context"
	"errors"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Transfer moves a project to another namespace and notifies its members.
func (s *Service) Transfer(ctx context.Context, p model.Project, to Place) error {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.move(ctx, p, to); err != nil {
			return err
		}
		return s.events.Notify(ctx, events.Notification{
			Event: events.MovedProject, ProjectID: p.ID, AuthorID: reqctx.Of(ctx).Actor.User.ID, Text: p.FullPath,
		})
	})
	return explain(err)
}

// MoveIntoGroup moves a project into a group, without a limit and without notifications.
func (s *Service) MoveIntoGroup(ctx context.Context, p model.Project, group model.Namespace) error {
	err := s.move(ctx, p, Place{namespaceID: group.ID})
	var refused *store.MoveError
	if errors.As(err, &refused) {
		return moveFailed(refused)
	}
	return err
}

// move moves a project to another namespace, and writes the audit event.
func (s *Service) move(ctx context.Context, p model.Project, to Place) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.Projects.Transfer(ctx, p.ID, to.namespaceID, to.limit); err != nil {
			return events.Change{}, err
		}
		after, err := s.store.Projects.Get(ctx, p.ID, "", &store.Reader{Admin: true})
		c := events.OfProject(after.Project, "project_transferred", "Moved project")
		c.Field, c.From, c.To = "full_path", p.FullPath, after.Project.FullPath
		if err == nil {
			err = s.hooks.Project(ctx, payload.EventProjectTransfer, p.ID, p.FullPath)
		}
		return c, err
	})
}

func moveFailed(e *store.MoveError) error {
	return apierr.Failed("transfer project", "new_namespace", e.Reason)
}
