package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// ProjectVariables holds the CI/CD variables of projects.
type ProjectVariables struct{ *base }

// GroupVariables holds the CI/CD variables of groups.
type GroupVariables struct{ *base }

// The owner of a variable.
const (
	OwnerInstance = iota
	OwnerGroup
	OwnerProject
)

// StoredVariable is a variable that jobs of a project may get.
type StoredVariable struct {
	Of      int
	GroupID int64 // 0 if no group owns the variable
	model.ProjectVariable
}

const effectiveVariables = `SELECT 0, 0, 0, id, key, value, variable_type, '*', protected, masked, raw FROM instance_variables
	UNION ALL SELECT 1, -a.depth, v.group_id, v.id, v.key, v.value, v.variable_type, v.environment_scope, v.protected, v.masked, v.raw
	FROM namespace_ancestors a JOIN group_variables v ON v.group_id = a.ancestor_id WHERE a.descendant_id = ?
	UNION ALL SELECT 2, 0, 0, id, key, value, variable_type, environment_scope, protected, masked, raw
		FROM project_variables WHERE project_id = ?
	ORDER BY 1, 2, 4`

// ListEffective returns the variables that apply to a project: those of the instance, then those of the groups above it, the
// outermost first, then its own. Within each, the oldest comes first.
func (s ProjectVariables) ListEffective(ctx context.Context, projectID, namespaceID int64) ([]StoredVariable, error) {
	var all []StoredVariable
	err := s.db.Rows(ctx, effectiveVariables, []any{namespaceID, projectID}, func(row query.Scanner) error {
		var v StoredVariable
		var depth int64
		err := row.Scan(&v.Of, &depth, &v.GroupID, &v.ID, &v.Key, &v.Value, &v.VariableType, &v.EnvironmentScope, &v.Protected,
			&v.Masked, &v.Raw)
		all = append(all, v)
		return err
	})
	return all, query.Translate(err)
}
