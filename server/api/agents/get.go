package agents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectClusterAgents lists the agents of a project.
// GET /projects/{id}/cluster_agents
func (a *Agents) ListProjectClusterAgents(
	ctx context.Context, req gen.ListProjectClusterAgentsRequestObject,
) (gen.ListProjectClusterAgentsResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadClusterAgent)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, a.pages, "Clusters::Agent", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
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

// GetProjectClusterAgent returns an agent.
// GET /projects/{id}/cluster_agents/{agent_id}
func (a *Agents) GetProjectClusterAgent(
	ctx context.Context, req gen.GetProjectClusterAgentRequestObject,
) (gen.GetProjectClusterAgentResponseObject, error) {
	row, agent, err := a.find(ctx, req.ID, req.AgentID, access.ReadClusterAgent)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectClusterAgent200JSONResponse(present.ClusterAgent(row.Project, agent)), nil
}
