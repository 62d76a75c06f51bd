package variables

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
)

// ofProject returns the variables of a project in which the caller has the ability.
func (v *Variables) ofProject(ctx context.Context, id string, ability access.Ability) (auditedVariables, error) {
	row, err := v.access.Project(ctx, id, ability)
	return auditedVariables{v.store.ProjectVariables.Of(row.Project.ID), v.store, events.Project(row.Project)}, err
}

// ofGroup returns the variables of a group, if the caller may change them.
func (v *Variables) ofGroup(ctx context.Context, id string) (auditedVariables, error) {
	group, _, err := v.access.Group(ctx, id, access.AdminGroupVariable)
	return auditedVariables{v.store.GroupVariables.Of(group.ID), v.store, events.Group(group)}, err
}

func scopeOf(filter *gen.VariableFilter) *string {
	if filter == nil {
		return nil
	}
	return filter.EnvironmentScope
}

// explainOwned turns errors of the store into the answers that the API promises.
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
