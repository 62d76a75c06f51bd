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
	"svc/store/secret"
)

// maxTokens is the greatest number of active tokens of an agent: one in use, and one that replaces it.
const maxTokens = 2

// find finds an agent of a project and requires the ability in that project.
func (a *Agents) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.ClusterAgent, error) {
	row, err := a.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.ClusterAgent{}, err
	}
	agent, err := a.store.ClusterAgents.Get(ctx, row.Project.ID, id)
	return row, agent, apierr.OrNotFound(err)
}

// ListProjectClusterAgentTokens lists the active tokens of an agent.
// GET /projects/{id}/cluster_agents/{agent_id}/tokens
func (a *Agents) ListProjectClusterAgentTokens(
	ctx context.Context, req gen.ListProjectClusterAgentTokensRequestObject,
) (gen.ListProjectClusterAgentTokensResponseObject, error) {
	_, agent, err := a.find(ctx, req.ID, req.AgentID, access.ReadClusterAgent)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, a.pages, "Clusters::AgentToken", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := a.store.ClusterAgentTokens.List(ctx, agent.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectClusterAgentTokens200JSONResponse{
		Body:    present.All(rows, present.ClusterAgentTokenBasic),
		Headers: gen.ListProjectClusterAgentTokens200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectClusterAgentToken returns an active token of an agent.
// GET /projects/{id}/cluster_agents/{agent_id}/tokens/{token_id}
func (a *Agents) GetProjectClusterAgentToken(
	ctx context.Context, req gen.GetProjectClusterAgentTokenRequestObject,
) (gen.GetProjectClusterAgentTokenResponseObject, error) {
	_, agent, err := a.find(ctx, req.ID, req.AgentID, access.ReadClusterAgent)
	if err != nil {
		return nil, err
	}
	found, err := a.store.ClusterAgentTokens.Get(ctx, agent.ID, req.TokenID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectClusterAgentToken200JSONResponse(present.ClusterAgentToken(found)), nil
}

// CreateProjectClusterAgentToken creates a token of an agent. Only this response has the token itself.
// POST /projects/{id}/cluster_agents/{agent_id}/tokens
func (a *Agents) CreateProjectClusterAgentToken(
	ctx context.Context, req gen.CreateProjectClusterAgentTokenRequestObject,
) (gen.CreateProjectClusterAgentTokenResponseObject, error) {
	row, agent, err := a.find(ctx, req.ID, req.AgentID, access.AdminClusterAgent)
	if err != nil {
		return nil, err
	}
	token, userID := secret.NewAgentToken(), reqctx.Of(ctx).Actor.User.ID
	made := model.ClusterAgentToken{
		AgentID: agent.ID, UserID: &userID, Name: req.Body.Name, Description: req.Body.Description.Ptr(), Digest: secret.Digest(token),
	}
	err = events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		err := a.store.ClusterAgentTokens.Create(ctx, &made, maxTokens)
		return tokenChange(row.Project, agent, made, "cluster_agent_token_created", "Created cluster agent token"), err
	})
	var full *store.LimitError
	if errors.As(err, &full) {
		err = apierr.BadRequest("An agent can have at most two active tokens")
	}
	if err != nil {
		return nil, err
	}
	shown := present.ClusterAgentToken(made)
	return gen.CreateProjectClusterAgentToken201JSONResponse{
		ID: shown.ID, Name: shown.Name, Description: shown.Description, AgentID: shown.AgentID, Status: shown.Status,
		CreatedAt: shown.CreatedAt, CreatedByUserID: shown.CreatedByUserID, Token: token,
	}, nil
}

// DeleteProjectClusterAgentToken revokes a token of an agent.
// DELETE /projects/{id}/cluster_agents/{agent_id}/tokens/{token_id}
func (a *Agents) DeleteProjectClusterAgentToken(
	ctx context.Context, req gen.DeleteProjectClusterAgentTokenRequestObject,
) (gen.DeleteProjectClusterAgentTokenResponseObject, error) {
	row, agent, err := a.find(ctx, req.ID, req.AgentID, access.AdminClusterAgent)
	if err != nil {
		return nil, err
	}
	found, err := a.store.ClusterAgentTokens.Get(ctx, agent.ID, req.TokenID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	err = events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		err := a.store.ClusterAgentTokens.Revoke(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return tokenChange(row.Project, agent, found, "cluster_agent_token_revoked", "Revoked cluster agent token"), err
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectClusterAgentToken204Response{}, nil
}

// tokenChange describes a change of a token for the audit events.
func tokenChange(p model.Project, agent model.ClusterAgent, t model.ClusterAgentToken, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Clusters::AgentToken", ID: t.ID, Details: agent.Name + "/" + t.Name},
	}
}
