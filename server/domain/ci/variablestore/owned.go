package variablestore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Owned is the variables of a project or group. Each change writes an audit event, which never has the value.
type Owned struct {
	set    store.VariableSet
	store  *store.Store
	entity events.Entity
	owner  string // project or group, for error messages
}

// OfProject returns the variables of a project.
func (s *Service) OfProject(p model.Project) Owned {
	return Owned{s.store.ProjectVariables.Of(p.ID), s.store, events.Project(p), "project"}
}

// OfGroup returns the variables of a group.
func (s *Service) OfGroup(g model.Namespace) Owned {
	return Owned{s.store.GroupVariables.Of(g.ID), s.store, events.Group(g), "group"}
}

// List returns one page of the variables.
func (o Owned) List(ctx context.Context, p store.Page) ([]model.OwnedVariable, store.Total, error) {
	return o.set.List(ctx, p)
}

// Get returns the variable with a key. If several have the key, the scope must say which.
func (o Owned) Get(ctx context.Context, key string, scope *string) (model.OwnedVariable, error) {
	row, err := o.set.Get(ctx, key, scope)
	return row, explainOwned(err, key)
}

// Create checks and adds a variable.
func (o Owned) Create(ctx context.Context, row *model.OwnedVariable) error {
	broken := map[string][]string{}
	checkKey(broken, row.Key)
	if err := checkOwned(broken, *row); err != nil {
		return err
	}
	err := events.Audited(ctx, o.store, func(ctx context.Context) (events.Change, error) {
		err := o.set.Create(ctx, row)
		return o.change("ci_variable_created", row.Key, row.EnvironmentScope, "Added variable"), err
	})
	var full *store.LimitError
	if errors.As(err, &full) {
		return apierr.Invalid("base", fmt.Sprintf("Maximum number of %s ci variables (%d) exceeded", o.owner, full.Most))
	}
	return explainOwned(err, row.Key)
}

// Change lets a function change a variable, checks and stores it. The audit event says that the value changed, but not
// what it is.
func (o Owned) Change(
	ctx context.Context, key string, scope *string, edit func(*model.OwnedVariable),
) (row model.OwnedVariable, err error) {
	err = events.AuditedAll(ctx, o.store, func(ctx context.Context) ([]events.Change, error) {
		var before model.OwnedVariable
		var err error
		row, err = o.set.Change(ctx, key, scope, func(row *model.OwnedVariable) error {
			before = *row
			edit(row)
			broken := map[string][]string{}
			if row.Hidden && !row.Masked {
				broken["masked"] = append(broken["masked"], "cannot be turned off for a hidden variable")
			}
			return checkOwned(broken, *row)
		})
		like := o.change("ci_variable_updated", key, before.EnvironmentScope, "")
		changes := events.Differences(before, row, like)
		if before.Value != row.Value || len(changes) == 0 {
			like.Message = "Changed the value"
			changes = append(changes, like)
		}
		return changes, err
	})
	return row, explainOwned(err, key)
}

// Delete removes a variable, unless it was changed after the given time.
func (o Owned) Delete(ctx context.Context, key string, scope *string, unchangedSince *time.Time) error {
	return explainOwned(events.Audited(ctx, o.store, func(ctx context.Context) (events.Change, error) {
		named := ""
		if scope != nil {
			named = *scope
		}
		err := o.set.Delete(ctx, key, scope, unchangedSince)
		return o.change("ci_variable_deleted", key, named, "Removed variable"), err
	}), key)
}

// change describes a change of a variable for the audit events.
func (o Owned) change(kind, key, scope, message string) events.Change {
	c := variableChange(kind, key, message)
	c.Entity = o.entity
	if scope != "" && scope != AllScopes {
		c.Target.Details += " (" + scope + ")"
	}
	return c
}

// explainOwned turns errors of the store into the answers that callers expect.
func explainOwned(err error, key string) error {
	var taken *store.ConflictError
	var several *store.AmbiguousError
	switch {
	case errors.As(err, &taken):
		return apierr.Invalid("key", "("+key+") has already been taken")
	case errors.As(err, &several):
		return apierr.Conflict(
			"There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
		)
	}
	return err
}
