package runner

import (
	"context"
	"strconv"

	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// audited runs a change of a runner and records its audit event where the runner belongs: in the instance, in its
// group, or in the project that it was created for.
func (s *Service) audited(
	ctx context.Context, row *model.Runner, projects []int64, kind, message string,
	write func(ctx context.Context) error,
) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		in, err := s.place(ctx, row.GroupID, projects)
		if err == nil {
			err = write(ctx)
		}
		return auditEvent(ctx, in, *row, kind, message), err
	})
}

// auditEvent returns the audit event of a change of a runner.
func auditEvent(ctx context.Context, in events.Entity, row model.Runner, kind, message string) events.Change {
	c := events.Change{Type: kind, Entity: in, Target: events.Target{Type: "Ci::Runner", ID: row.ID}, Message: message}
	if row.Description != nil {
		c.Target.Details = *row.Description
	}
	if reqctx.Of(ctx).Actor == nil { // the runner sent the request, with its own token
		c.Author = &events.Author{Name: "Runner " + strconv.FormatInt(row.ID, 10)}
	}
	return c
}

// place returns the instance, group or project that a runner belongs to.
func (s *Service) place(ctx context.Context, groupID *int64, projects []int64) (events.Entity, error) {
	switch {
	case groupID != nil:
		group, _, err := s.store.Namespaces.GetGroup(ctx, *groupID, "", nil)
		return events.Group(group), err
	case len(projects) > 0:
		row, err := s.store.Projects.Get(ctx, projects[0], "", &store.Reader{Admin: true})
		return events.Project(row.Project), err
	}
	return events.Instance, nil
}

// auditedExisting is audited for an existing runner.
func (s *Service) auditedExisting(
	ctx context.Context, row *model.Runner, kind, message string, write func(ctx context.Context) error,
) error {
	projects, err := s.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return err
	}
	return s.audited(ctx, row, projects, kind, message, write)
}
