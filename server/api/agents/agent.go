package agents

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListProjectClusterAgents lists the agents of a project.
// GET /projects/{id}/cluster_agents
func (a *Agents) ListProjectClusterAgents(
	ctx context.Context, req gen.ListProjectClusterAgentsRequestObject,
) (gen.ListProjectClusterAgentsResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadClusterAgent)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := a.pages.Offset(ctx, pagination.Kind{Name: "Clusters::Agent"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := a.store.ClusterAgents.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectClusterAgents200JSONResponse{
		Body:    present.All(rows, func(r model.ClusterAgent) gen.ClusterAgent { return present.ClusterAgent(row.Project, r) }),
		Headers: gen.ListProjectClusterAgents200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectClusterAgent registers an agent.
// POST /projects/{id}/cluster_agents
func (a *Agents) CreateProjectClusterAgent(
	ctx context.Context, req gen.CreateProjectClusterAgentRequestObject,
) (gen.CreateProjectClusterAgentResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminClusterAgent)
	if err == nil {
		err = checkName(req.Body.Name)
	}
	if err != nil {
		return nil, err
	}
	userID := reqctx.Of(ctx).Actor.User.ID
	agent := model.ClusterAgent{ProjectID: row.Project.ID, UserID: &userID, Name: req.Body.Name}
	err = events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		err := a.store.ClusterAgents.Create(ctx, &agent)
		return agentChange(row.Project, agent, "cluster_agent_created", "Created cluster agent"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("name", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectClusterAgent201JSONResponse(present.ClusterAgent(row.Project, agent)), nil
}

// GetProjectClusterAgent returns an agent.
// GET /projects/{id}/cluster_agents/{agent_id}
func (a *Agents) GetProjectClusterAgent(
	ctx context.Context, req gen.GetProjectClusterAgentRequestObject,
) (gen.GetProjectClusterAgentResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadClusterAgent)
	if err != nil {
		return nil, err
	}
	agent, err := a.store.ClusterAgents.Get(ctx, row.Project.ID, req.AgentID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectClusterAgent200JSONResponse(present.ClusterAgent(row.Project, agent)), nil
}

// DeleteProjectClusterAgent removes an agent.
// DELETE /projects/{id}/cluster_agents/{agent_id}
func (a *Agents) DeleteProjectClusterAgent(
	ctx context.Context, req gen.DeleteProjectClusterAgentRequestObject,
) (gen.DeleteProjectClusterAgentResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminClusterAgent)
	if err != nil {
		return nil, err
	}
	agent, err := a.store.ClusterAgents.Get(ctx, row.Project.ID, req.AgentID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		err := a.store.ClusterAgents.Delete(ctx, row.Project.ID, req.AgentID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return agentChange(row.Project, agent, "cluster_agent_deleted", "Removed cluster agent"), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectClusterAgent204Response{}, nil
}

func agentChange(p model.Project, agent model.ClusterAgent, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Project(p),
		Target:  events.Target{Type: "Clusters::Agent", ID: agent.ID, Details: agent.Name},
		Message: message,
	}
}
