package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ClusterAgent presents an agent of a project.
func ClusterAgent(p model.Project, a model.ClusterAgent) gen.ClusterAgent {
	return gen.ClusterAgent{
		ID: a.ID, Name: a.Name, ConfigProject: ProjectIdentity(p), CreatedAt: wire.NewTime(a.CreatedAt), CreatedByUserID: a.UserID,
	}
}

// ProjectIdentity presents a project with its names and paths.
func ProjectIdentity(p model.Project) gen.ProjectIdentity {
	return gen.ProjectIdentity{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.FullName, Path: p.Path, PathWithNamespace: p.FullPath,
		CreatedAt: wire.NewTime(p.CreatedAt),
	}
}

// JobAgents holds the cluster agents that a job may use, and the groups and the environment of the job.
type JobAgents struct {
	Agents      []model.ClusterAgent // agents of the job's project
	Groups      []int64
	Environment *model.Environment
}

// AllowedAgents presents the cluster agents that a job of a project may use. The job's user must be loaded.
func (p Presenter) AllowedAgents(project model.Project, row model.JobRow, a JobAgents) gen.AllowedAgents {
	shown := gen.AllowedAgents{
		AllowedAgents: All(a.Agents, func(r model.ClusterAgent) gen.AllowedAgent {
			return gen.AllowedAgent{ID: r.ID, ConfigProject: ProjectIdentity(project)}
		}),
		Job: gen.JobReference{ID: row.Job.ID}, Pipeline: gen.JobReference{ID: row.Pipeline.ID},
		Project: gen.AllowedAgentsProject{
			ID: project.ID, Groups: All(a.Groups, func(id int64) gen.JobReference { return gen.JobReference{ID: id} }),
		},
	}
	if u := row.User; u != nil {
		shown.User = gen.AllowedAgentsUser{
			ID: u.ID, Name: u.Name, Username: u.Username, State: gen.UserState(u.State), AvatarURL: p.UserAvatar(*u), WebURL: p.userURL(*u),
		}
	}
	if e := a.Environment; e != nil {
		shown.Environment = &gen.AllowedAgentsEnvironment{Slug: e.Slug, Tier: e.Tier}
	}
	return shown
}

// ClusterAgentToken presents a token of an agent.
func ClusterAgentToken(t model.ClusterAgentToken) gen.ClusterAgentToken {
	b := ClusterAgentTokenBasic(t)
	return gen.ClusterAgentToken{
		ID: b.ID, Name: b.Name, Description: b.Description, AgentID: b.AgentID, Status: b.Status, CreatedAt: b.CreatedAt,
		CreatedByUserID: b.CreatedByUserID,
	}
}

// ClusterAgentTokenBasic presents a token of an agent for a list.
func ClusterAgentTokenBasic(t model.ClusterAgentToken) gen.ClusterAgentTokenBasic {
	status := gen.ClusterAgentTokenStatusActive
	if t.Revoked {
		status = gen.ClusterAgentTokenStatusRevoked
	}
	return gen.ClusterAgentTokenBasic{
		ID: t.ID, Name: t.Name, Description: t.Description, AgentID: t.AgentID, Status: status, CreatedAt: wire.NewTime(t.CreatedAt),
		CreatedByUserID: t.UserID,
	}
}
