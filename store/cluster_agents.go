package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ClusterAgents holds the agents that connect clusters with projects.
type ClusterAgents struct{ *base }

const clusterAgent = "Agent"

// List returns one page of the agents of a project, the oldest first.
func (s ClusterAgents) List(ctx context.Context, projectID int64, p Page) ([]model.ClusterAgent, Total, error) {
	return query.List[model.ClusterAgent](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// All returns every agent of a project, the oldest first.
func (s ClusterAgents) All(ctx context.Context, projectID int64) ([]model.ClusterAgent, error) {
	rows, err := query.Find[model.ClusterAgent](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), 0)
	return rows, query.Translate(err)
}

// Get returns an agent of a project.
func (s ClusterAgents) Get(ctx context.Context, projectID, id int64) (model.ClusterAgent, error) {
	return query.Take[model.ClusterAgent](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), clusterAgent)
}

// Create adds an agent. It returns a *ConflictError if the project has an agent with the same name.
func (s ClusterAgents) Create(ctx context.Context, a *model.ClusterAgent) error {
	return query.Translate(s.db.Write(ctx).Create(a).Error)
}

// Delete removes an agent of a project, unless it was changed after the given time.
func (s ClusterAgents) Delete(ctx context.Context, projectID, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.ClusterAgent](ctx, s.db, clusterAgent, unchangedSince, "id = ? AND project_id = ?", id, projectID)
}
