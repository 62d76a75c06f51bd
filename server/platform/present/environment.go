package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// Environment presents an environment.
func Environment(e model.Environment) gen.Environment {
	return gen.Environment{
		ID: e.ID, Name: e.Name, Slug: e.Slug, Description: e.Description, ExternalURL: e.ExternalURL, CreatedAt: wire.NewTime(e.CreatedAt),
		UpdatedAt: wire.NewTime(e.UpdatedAt), Tier: gen.EnvironmentTier(e.Tier), State: gen.EnvironmentState(e.State),
		AutoStopAt: wire.TimePtr(e.AutoStopAt),
	}
}

// Deployment presents a deployment.
func (s JobPresenter) Deployment(r model.DeploymentRow) gen.Deployment {
	e := r.Environment
	shown := gen.Deployment{
		ID: r.Deployment.ID, Iid: r.Deployment.IID, Ref: r.Ref(), Sha: r.SHA(),
		CreatedAt: wire.NewTime(r.Deployment.CreatedAt),
		UpdatedAt: wire.NewTime(r.Deployment.UpdatedAt), Status: gen.DeploymentStatus(r.Deployment.Status),
		Environment: gen.EnvironmentBasic{
			ID: e.ID, Name: e.Name, Slug: e.Slug, Description: e.Description, ExternalURL: e.ExternalURL,
			CreatedAt: wire.NewTime(e.CreatedAt),
			UpdatedAt: wire.NewTime(e.UpdatedAt),
		},
	}
	if r.User != nil {
		user := s.UserBasic(*r.User)
		shown.User = &user
	}
	if r.Job != nil {
		job := s.Job(*r.Job)
		shown.Deployable = &job
	}
	return shown
}

// EnvironmentReference presents an environment with its names and URL.
func EnvironmentReference(e model.Environment) gen.EnvironmentReference {
	return gen.EnvironmentReference{ID: e.ID, Name: e.Name, Slug: e.Slug, ExternalURL: e.ExternalURL}
}
