package variables

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// auditedVariables are the variables of a project or group. Each change writes an audit event, which never has the
// value.
type auditedVariables struct {
	store.VariableSet
	store  *store.Store
	entity events.Entity
}

func (o auditedVariables) change(kind, key, scope, message string) events.Change {
	c := variableChange(kind, key, message)
	c.Entity = o.entity
	if scope != "" && scope != allScopes {
		c.Target.Details += " (" + scope + ")"
	}
	return c
}

func variableChange(kind, key, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Instance, Target: events.Target{Type: "Ci::Variable", ID: key, Details: key},
		Message: message,
	}
}

// Create adds a variable.
func (o auditedVariables) Create(ctx context.Context, row *model.OwnedVariable) error {
	return events.Audited(ctx, o.store, func(ctx context.Context) (events.Change, error) {
		err := o.VariableSet.Create(ctx, row)
		return o.change("ci_variable_created", row.Key, row.EnvironmentScope, "Added variable"), err
	})
}

// Change changes a variable. The audit event says that the value changed, but not what it is.
func (o auditedVariables) Change(
	ctx context.Context, key string, scope *string, change func(*model.OwnedVariable) error,
) (row model.OwnedVariable, err error) {
	err = events.AuditedAll(ctx, o.store, func(ctx context.Context) ([]events.Change, error) {
		var before model.OwnedVariable
		var err error
		row, err = o.VariableSet.Change(ctx, key, scope, func(row *model.OwnedVariable) error {
			before = *row
			return change(row)
		})
		like := o.change("ci_variable_updated", key, before.EnvironmentScope, "")
		changes := events.Differences(before, row, like)
		if before.Value != row.Value || len(changes) == 0 {
			like.Message = "Changed the value"
			changes = append(changes, like)
		}
		return changes, err
	})
	return row, err
}

// Delete removes a variable.
func (o auditedVariables) Delete(ctx context.Context, key string, scope *string, unchangedSince *time.Time) error {
	return events.Audited(ctx, o.store, func(ctx context.Context) (events.Change, error) {
		named := ""
		if scope != nil {
			named = *scope
		}
		err := o.VariableSet.Delete(ctx, key, scope, unchangedSince)
		return o.change("ci_variable_deleted", key, named, "Removed variable"), err
	})
}
