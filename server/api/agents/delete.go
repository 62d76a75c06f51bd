package agents

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// DeleteProjectClusterAgent removes an agent.
// DELETE /projects/{id}/cluster_agents/{agent_id}
func (a *Agents) DeleteProjectClusterAgent(
	ctx context.Context, req gen.DeleteProjectClusterAgentRequestObject,
) (gen.DeleteProjectClusterAgentResponseObject, error) {
	row, agent, err := a.find(ctx, req.ID, req.AgentID, access.AdminClusterAgent)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		unchangedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
		err := a.store.ClusterAgents.Delete(ctx, row.Project.ID, req.AgentID, unchangedSince)
		return agentChange(row.Project, agent, "cluster_agent_deleted", "Removed cluster agent"), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectClusterAgent204Response{}, nil
}

// agentChange describes a change of an agent for the audit events.
func agentChange(p model.Project, agent model.ClusterAgent, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Project(p),
		Target:  events.Target{Type: "Clusters::Agent", ID: agent.ID, Details: agent.Name},
		Message: message,
	}
}
