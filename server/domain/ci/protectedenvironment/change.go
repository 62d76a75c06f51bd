package protectedenvironment

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Service creates, changes and deletes protected environments.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Owner is the project or group that protects an environment.
type Owner struct {
	Project *model.Project
	Group   *model.Namespace
}

// Key returns the owner in the form in which the store knows it.
func (o Owner) Key() store.ProtectionOwner {
	if o.Project != nil {
		return store.ProtectionOwner{ProjectID: &o.Project.ID}
	}
	return store.ProtectionOwner{GroupID: &o.Group.ID}
}

func (o Owner) entity() events.Entity {
	if o.Project != nil {
		return events.Project(*o.Project)
	}
	return events.Group(*o.Group)
}

// Change describes a new protected environment, or what to change in one. Nil fields stay as they are.
type Change struct {
	Deployers         []RuleChange
	Approvers         []RuleChange
	RequiredApprovals *int64
}

// Find returns the protected environment of an owner with the given name, with its rules.
func (s *Service) Find(ctx context.Context, o Owner, name string) (Protection, error) {
	row, err := s.store.ProtectedEnvironments.Get(ctx, o.Key(), name)
	if err != nil {
		return Protection{}, apierr.OrNotFound(err)
	}
	all, err := s.withRules(ctx, []model.ProtectedEnvironment{row})
	if err != nil {
		return Protection{}, err
	}
	return all[0], nil
}

// List returns one page of the protected environments of an owner, with their rules.
func (s *Service) List(ctx context.Context, o Owner, p store.Page) ([]Protection, store.Total, error) {
	rows, total, err := s.store.ProtectedEnvironments.List(ctx, o.Key(), p)
	if err != nil {
		return nil, total, err
	}
	all, err := s.withRules(ctx, rows)
	return all, total, err
}

func (s *Service) withRules(ctx context.Context, rows []model.ProtectedEnvironment) ([]Protection, error) {
	rules, err := s.store.ProtectedEnvironments.Rules(ctx, ids(rows))
	all := make([]Protection, len(rows))
	for i, row := range rows {
		all[i] = protection(row, rules[row.ID])
	}
	return all, err
}

// Create protects an environment of a project, or a tier of environments of a group.
func (s *Service) Create(ctx context.Context, o Owner, name string, c Change) (Protection, error) {
	key := o.Key()
	row := model.ProtectedEnvironment{ProjectID: key.ProjectID, GroupID: key.GroupID, Name: name}
	if c.RequiredApprovals != nil {
		row.RequiredApprovalCount = *c.RequiredApprovals
	}
	rules, _, err := s.rules(ctx, o, c, Protection{})
	if err != nil {
		return Protection{}, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ProtectedEnvironments.Create(ctx, &row)
		if err == nil {
			err = s.save(ctx, row.ID, rules, nil)
		}
		return change(o, row, "environment_protected", "Protected an environment"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Conflict("Protected environment '" + name + "' already exists")
	}
	return protection(row, rules), err
}

// Apply changes a protected environment and returns it.
func (s *Service) Apply(ctx context.Context, o Owner, p Protection, c Change) (Protection, error) {
	row := p.Environment
	if c.RequiredApprovals != nil {
		row.RequiredApprovalCount = *c.RequiredApprovals
	}
	rules, removed, err := s.rules(ctx, o, c, p)
	if err != nil {
		return p, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ProtectedEnvironments.Save(ctx, &row)
		if err == nil {
			err = s.save(ctx, row.ID, rules, removed)
		}
		return change(o, row, "protected_environment_updated", "Changed who deploys to a protected environment"), err
	})
	if err != nil {
		return p, err
	}
	return s.Find(ctx, o, row.Name)
}

// save stores rules and removes others.
func (s *Service) save(ctx context.Context, id int64, rules []model.ProtectedEnvironmentRule, removed []int64) error {
	for i := range rules {
		rules[i].ProtectedEnvironmentID = id
	}
	err := s.store.ProtectedEnvironments.SaveRules(ctx, rules, removed)
	if store.IsNotFound(err) {
		return apierr.Invalid(deployLevels, "has an unknown user or group")
	}
	return err
}

// Delete removes the protection of an environment. With unmodifiedSince, it fails if the protection has changed since then.
func (s *Service) Delete(ctx context.Context, o Owner, p Protection, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ProtectedEnvironments.Delete(ctx, p.Environment, unmodifiedSince)
		return change(o, p.Environment, "environment_unprotected", "Removed the protection of an environment"), err
	})
}

// change describes a change of a protected environment for the audit log.
func change(o Owner, row model.ProtectedEnvironment, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: o.entity(), Message: message,
		Target: events.Target{Type: "ProtectedEnvironment", ID: row.ID, Details: row.Name},
	}
}
