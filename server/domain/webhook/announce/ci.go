package announce

import (
	"context"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

const ciKinds = model.HookPipelines | model.HookJobs | model.HookDeployments

// WantsCI reports whether a hook wants to know of the pipelines, jobs or deployments of a project.
func (a *Announcer) WantsCI(ctx context.Context, projectID int64) (bool, error) {
	if a == nil {
		return false, nil
	}
	return a.events.HooksWant(ctx, store.HookScope{ProjectID: projectID}, ciKinds)
}

// CIChange is what has changed in a pipeline.
type CIChange struct {
	Pipeline        model.Pipeline
	PipelineChanged bool    // its status has changed
	Jobs            []int64 // whose status has changed; no bridges
	Deployments     []int64 // whose status has changed
}

// CI announces the jobs, the deployments and the pipeline whose status has changed. Nothing is sent about
// pipelines of blocked users.
func (a *Announcer) CI(ctx context.Context, c CIChange) error {
	if a == nil {
		return nil
	}
	project, err := a.loader.Project(ctx, c.Pipeline.ProjectID)
	if err != nil {
		return err
	}
	if blocked, err := a.blocked(ctx, c.Pipeline.UserID); err != nil || blocked {
		return err
	}
	var announced []events.HookEvent
	for _, id := range c.Jobs {
		announced = append(announced, events.HookEvent{Kind: model.HookJobs, Body: func(ctx context.Context) (any, error) {
			in, err := a.loader.Job(ctx, id, project)
			if err != nil {
				return nil, err
			}
			return a.to.Job(in), nil
		}})
	}
	for _, id := range c.Deployments {
		announced = append(announced, a.deployment(id, project))
	}
	if c.PipelineChanged {
		announced = append(announced, events.HookEvent{Kind: model.HookPipelines, Body: func(ctx context.Context) (any, error) {
			in, err := a.loader.Pipeline(ctx, c.Pipeline, project)
			if err != nil {
				return nil, err
			}
			return a.to.Pipeline(in), nil
		}})
	}
	return a.events.Hook(ctx, events.InProject(project), announced...)
}

// Deployment announces a deployment without a job, which has a new status.
func (a *Announcer) Deployment(ctx context.Context, projectID, id int64) error {
	if a == nil {
		return nil
	}
	wanted, err := a.events.HooksWant(ctx, store.HookScope{ProjectID: projectID}, model.HookDeployments)
	if err != nil || !wanted {
		return err
	}
	project, err := a.loader.Project(ctx, projectID)
	if err != nil {
		return err
	}
	return a.events.Hook(ctx, events.InProject(project), a.deployment(id, project))
}

// deployment is the event of a deployment.
func (a *Announcer) deployment(id int64, project model.Project) events.HookEvent {
	return events.HookEvent{Kind: model.HookDeployments, Body: func(ctx context.Context) (any, error) {
		in, err := a.loader.Deployment(ctx, id, project)
		if err != nil {
			return nil, err
		}
		return a.to.Deployment(in), nil
	}}
}

// blocked reports whether a user is blocked. Nobody is not.
func (a *Announcer) blocked(ctx context.Context, userID *int64) (bool, error) {
	if userID == nil {
		return false, nil
	}
	u, err := a.store.Users.Get(ctx, *userID)
	if store.IsNotFound(err) {
		return false, nil
	}
	return u.State != model.UserActive, err
}

// DeploymentStatuses are the statuses of deployments that are sent to hooks.
var DeploymentStatuses = []string{"running", "success", "failed", "canceled", "blocked"}
