package engine

import (
	"context"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// AssignResource is the background job that gives a resource group to the next job. It runs when the group may be free or a
// job wants it.
type AssignResource struct {
	ProjectID int64  `json:"project_id"`
	Key       string `json:"key"`
}

// Kind returns the name of the background job.
func (AssignResource) Kind() string { return "ci_resource" }

// AssignResource gives a free resource group to the next job. To avoid deadlocks, it locks the resource and no pipeline, and
// code that locks a pipeline locks no resource.
func (e *Engine) AssignResource(ctx context.Context, r AssignResource) error {
	err := e.store.Tx(ctx, func(ctx context.Context) error {
		mode, err := e.store.Jobs.LockResource(ctx, r.ProjectID, r.Key)
		if err != nil {
			return err
		}
		jobs, err := e.store.Jobs.WaitingForResource(ctx, r.ProjectID, r.Key)
		if err != nil {
			return err
		}
		contenders := make([]status.Contender, len(jobs))
		for i := range jobs {
			s := status.Status(jobs[i].Status)
			if s == status.Pending || s == status.Running || s == status.Canceling || s == status.Preparing {
				return nil // another job has the resource
			}
			contenders[i] = status.Contender{JobID: jobs[i].ID, PipelineID: jobs[i].PipelineID, Ready: s == status.WaitingForResource}
		}
		next := status.NextForResource(mode, contenders)
		if next < 0 {
			return nil
		}
		job := jobs[next]
		taken, err := e.store.Jobs.GrantResource(ctx, job.ID, now(ctx))
		if err != nil || !taken {
			return err
		}
		if job.Bridge {
			if err := e.enqueue(ctx, Bridge{JobID: job.ID}); err != nil {
				return err
			}
		}
		store.AfterCommit(ctx, e.signal.Notify)
		return e.enqueue(ctx, Process{PipelineID: job.PipelineID})
	})
	return ignoreStale(err)
}

// SetProcessMode changes the order in which waiting jobs get a resource group, and returns the group.
func (e *Engine) SetProcessMode(
	ctx context.Context, group model.ResourceGroup, mode string,
) (model.ResourceGroup, error) {
	err := e.store.Tx(ctx, func(ctx context.Context) error {
		var err error
		if group, err = e.store.ResourceGroups.SetMode(ctx, group.ID, mode); err != nil {
			return err
		}
		// A different job may be next now.
		return e.enqueue(ctx, AssignResource{ProjectID: group.ProjectID, Key: group.Key})
	})
	return group, err
}
