package store

import (
	"context"

	"svc/store/model"
)

// ProjectVariables are the CI/CD variables of projects.
type ProjectVariables struct{ *base }

// GroupVariables are the CI/CD variables of groups.
type GroupVariables struct{ *base }

// All returns all variables of a project, in the order of their creation.
func (s ProjectVariables) All(ctx context.Context, projectID int64) ([]model.ProjectVariable, error) {
	rows, err := find[model.ProjectVariable](s.read(ctx).Where("project_id = ?", projectID).Order("id"), 0)
	return rows, translate(err)
}

// Over returns the variables of a namespace and of all groups that it lies in: those of the outermost first, of each group in
// the order of their creation.
func (s GroupVariables) Over(ctx context.Context, namespaceID int64) ([]model.GroupVariable, error) {
	q := s.read(ctx).Joins("JOIN namespace_ancestors a ON a.ancestor_id = group_variables.group_id AND a.descendant_id = ?", namespaceID)
	rows, err := find[model.GroupVariable](q.Select("group_variables.*").Order("a.depth DESC, group_variables.id"), 0)
	return rows, translate(err)
}

// All returns all variables of the instance, in the order of their creation.
func (s InstanceVariables) All(ctx context.Context) ([]model.InstanceVariable, error) {
	rows, err := find[model.InstanceVariable](s.read(ctx).Order("id"), 0)
	return rows, translate(err)
}
