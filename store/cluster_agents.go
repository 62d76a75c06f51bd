package store

import (
	"context"
	"time"

	"svc/store/model"
)

// ClusterAgents holds the agents that connect clusters with projects.
type ClusterAgents struct{ *base }

const clusterAgent = "Agent"

// List returns one page of the agents of a project, the oldest first.
func (s ClusterAgents) List(ctx context.Context, projectID int64, p Page) ([]model.ClusterAgent, Total, error) {
	return list[model.ClusterAgent](s.read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// All returns every agent of a project, the oldest first.
func (s ClusterAgents) All(ctx context.Context, projectID int64) ([]model.ClusterAgent, error) {
	rows, err := find[model.ClusterAgent](s.read(ctx).Where("project_id = ?", projectID).Order("id"), 0)
	return rows, translate(err)
}

// Get returns an agent of a project.
func (s ClusterAgents) Get(ctx context.Context, projectID, id int64) (model.ClusterAgent, error) {
	return take[model.ClusterAgent](s.read(ctx).Where("id = ? AND project_id = ?", id, projectID), clusterAgent)
}

// Create adds an agent. It returns a *ConflictError if the project has an agent with the same name.
func (s ClusterAgents) Create(ctx context.Context, a *model.ClusterAgent) error {
	return translate(s.write(ctx).Create(a).Error)
}

// Delete removes an agent of a project, unless it was changed after the given time.
func (s ClusterAgents) Delete(ctx context.Context, projectID, id int64, unchangedSince *time.Time) error {
	return deleteWhere[model.ClusterAgent](ctx, s.base, clusterAgent, unchangedSince, "id = ? AND project_id = ?", id, projectID)
}
