package project

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// NewFork describes a new fork. Fields that are nil are those of the source.
type NewFork struct {
	Name, Path, Description *string
	Visibility              *model.Visibility
}

// Check validates the name and the path.
func (f NewFork) Check() error {
	rules := fieldErrors{}
	if f.Name != nil {
		rules.add("name", naming.Name(*f.Name))
	}
	if f.Path != nil {
		rules.add("path", naming.Path(*f.Path, false))
	}
	return rules.err()
}

// Fork creates a fork that Check accepts. A job copies the repository.
func (s *Service) Fork(ctx context.Context, source model.Project, in Place, f NewFork) (made model.Project, err error) {
	row := store.Fork{
		SourceID: source.ID, Name: f.Name, Path: f.Path, Description: f.Description, Visibility: f.Visibility,
		NamespaceID: in.namespaceID, CreatorID: reqctx.Of(ctx).Actor.User.ID,
	}
	if err := s.checkRestricted(ctx, f.Visibility); err != nil {
		return made, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if made, err = s.store.Projects.Fork(ctx, row, in.limit); err != nil {
			return err
		}
		if err := s.recordCreated(ctx, made, "project_forked", "Created project as a fork of "+source.FullPath); err != nil {
			return err
		}
		if err := s.store.PushRules.CopyFromGroups(ctx, made.ID, made.NamespaceID); err != nil {
			return err
		}
		if err := s.hooks.ProjectCreated(ctx, made.ID); err != nil {
			return err
		}
		return s.repos.CreateFork(ctx, made)
	})
	return made, explainFork(err)
}

// LinkFork marks an existing project as a fork of another.
func (s *Service) LinkFork(ctx context.Context, p model.Project, sourceID int64) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(p, "project_fork_linked", "Added a fork relation")
		c.Target = events.Target{Type: "Project", ID: sourceID}
		return c, s.store.Projects.Link(ctx, p.ID, sourceID)
	})
	return explainFork(err)
}

// UnlinkFork removes the fork relation of a project. It returns false if the project is not a fork.
func (s *Service) UnlinkFork(
	ctx context.Context, p model.Project, unmodifiedSince *time.Time,
) (changed bool, err error) {
	err = events.Audited(ctx, s.store, func(ctx context.Context) (c events.Change, err error) {
		if changed, err = s.store.Projects.Unlink(ctx, p.ID, unmodifiedSince); changed {
			c = events.OfProject(p, "project_fork_unlinked", "Removed the fork relation")
		}
		return c, err
	})
	return changed, err
}
