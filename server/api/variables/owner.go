package variables

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
)

// ofProject returns the variables of a project in which the caller has the ability.
func (v *Variables) ofProject(ctx context.Context, id string, ability access.Ability) (variablestore.Owned, error) {
	row, err := v.access.Project(ctx, id, ability)
	return v.variables.OfProject(row.Project), err
}

// ofGroup returns the variables of a group, if the caller may change them.
func (v *Variables) ofGroup(ctx context.Context, id string) (variablestore.Owned, error) {
	group, _, err := v.access.Group(ctx, id, access.AdminGroupVariable)
	return v.variables.OfGroup(group), err
}

func scopeOf(filter *gen.VariableFilter) *string {
	if filter == nil {
		return nil
	}
	return filter.EnvironmentScope
}
