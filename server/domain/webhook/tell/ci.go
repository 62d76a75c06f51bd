package tell

import (
	"context"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

const ciKinds = model.HookPipelines | model.HookJobs | model.HookDeployments

// WantsCI reports whether a hook wants to know of the pipelines, jobs or deployments of a project.
func (t *Teller) WantsCI(ctx context.Context, projectID int64) (bool, error) {
	if t == nil {
		return false, nil
	}
	return t.events.HooksWant(ctx, store.HookScope{ProjectID: projectID}, ciKinds)
}

// CIChange is what has changed in a pipeline.
type CIChange struct {
	Pipeline        model.Pipeline
	PipelineChanged bool    // its status has changed
	Jobs            []int64 // whose status has changed; no bridges
	Deployments     []int64 // whose status has changed
}

// CI tells hooks of the jobs, the deployments and the pipeline whose status has changed. Nothing is sent about
// pipelines of blocked users.
func (t *Teller) CI(ctx context.Context, c CIChange) error {
	if t == nil {
		return nil
	}
	project, err := t.loader.Project(ctx, c.Pipeline.ProjectID)
	if err != nil {
		return err
	}
	if blocked, err := t.blocked(ctx, c.Pipeline.UserID); err != nil || blocked {
		return err
	}
	var told []events.HookEvent
	for _, id := range c.Jobs {
		told = append(told, events.HookEvent{Kind: model.HookJobs, Body: func(ctx context.Context) (any, error) {
			in, err := t.loader.Job(ctx, id, project)
			if err != nil {
				return nil, err
			}
			return t.to.Job(in), nil
		}})
	}
	for _, id := range c.Deployments {
		told = append(told, events.HookEvent{Kind: model.HookDeployments, Body: func(ctx context.Context) (any, error) {
			in, err := t.loader.Deployment(ctx, id, project)
			if err != nil {
				return nil, err
			}
			return t.to.Deployment(in), nil
		}})
	}
	if c.PipelineChanged {
		told = append(told, events.HookEvent{Kind: model.HookPipelines, Body: func(ctx context.Context) (any, error) {
			in, err := t.loader.Pipeline(ctx, c.Pipeline, project)
			if err != nil {
				return nil, err
			}
			return t.to.Pipeline(in), nil
		}})
	}
	return t.events.Hook(ctx, events.InProject(project), told...)
}

// blocked reports whether a user is blocked. Nobody is not.
func (t *Teller) blocked(ctx context.Context, userID *int64) (bool, error) {
	if userID == nil {
		return false, nil
	}
	u, err := t.store.Users.Get(ctx, *userID)
	if store.IsNotFound(err) {
		return false, nil
	}
	return u.State != model.UserActive, err
}

// DeploymentStatuses are the statuses of deployments that are sent to hooks.
var DeploymentStatuses = []string{"running", "success", "failed", "canceled", "blocked"}
