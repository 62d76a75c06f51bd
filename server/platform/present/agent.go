package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ClusterAgent shows an agent of a project.
func ClusterAgent(p model.Project, a model.ClusterAgent) gen.ClusterAgent {
	return gen.ClusterAgent{
		ID: a.ID, Name: a.Name, ConfigProject: ConfigProject(p), CreatedAt: wire.NewTime(a.CreatedAt), CreatedByUserID: a.UserID,
	}
}

// ConfigProject shows the project of an agent.
func ConfigProject(p model.Project) gen.ConfigProject {
	return gen.ConfigProject{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.FullName, Path: p.Path, PathWithNamespace: p.FullPath,
		CreatedAt: wire.NewTime(p.CreatedAt),
	}
}

// Allowed is what a job may use, and where it belongs.
type Allowed struct {
	Agents      []model.ClusterAgent // of the project of the job
	Groups      []int64
	Environment *model.Environment
}

// AllowedAgents shows what a job of a project may use; its user must be loaded.
func (p Presenter) AllowedAgents(project model.Project, row model.JobRow, a Allowed) gen.AllowedAgents {
	shown := gen.AllowedAgents{
		AllowedAgents: All(a.Agents, func(r model.ClusterAgent) gen.AllowedAgent {
			return gen.AllowedAgent{ID: r.ID, ConfigProject: ConfigProject(project)}
		}),
		Job: gen.JobReference{ID: row.Job.ID}, Pipeline: gen.JobReference{ID: row.Pipeline.ID},
		Project: gen.AllowedAgentsProject{ID: project.ID, Groups: All(a.Groups, func(id int64) gen.JobReference { return gen.JobReference{ID: id} })},
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
