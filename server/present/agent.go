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
