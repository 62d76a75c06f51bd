package engine

import (
	"context"

	"svc/server/domain/webhook/announce"
	"svc/store/model"
)

// hookChanges collects what is recorded for webhooks at the end of a transaction.
type hookChanges struct {
	wanted   *bool // whether a hook wants to know; nil if nobody asked yet
	pipeline bool  // the status of the pipeline has changed
}

// hooksWant reports whether a hook wants to know of the pipeline. It asks the database once.
func (w *pipelineTx) hooksWant(ctx context.Context) (bool, error) {
	if w.forHooks.wanted == nil {
		wanted, err := w.hooks.WantsCI(ctx, w.pipeline.ProjectID)
		if err != nil {
			return false, err
		}
		w.forHooks.wanted = &wanted
	}
	return *w.forHooks.wanted, nil
}

// announceCreated announces to webhooks a new pipeline and its jobs, before any of them starts.
func (w *pipelineTx) announceCreated(ctx context.Context) error {
	wanted, err := w.hooksWant(ctx)
	if err != nil || !wanted {
		return err
	}
	change := announce.CIChange{Pipeline: w.pipeline, PipelineChanged: true}
	for i := range w.jobs {
		if !w.jobs[i].Bridge {
			change.Jobs = append(change.Jobs, w.jobs[i].ID)
		}
	}
	return w.hooks.CI(ctx, change)
}

// announceHooks announces the jobs, the deployments and the pipeline that have changed.
func (w *pipelineTx) announceHooks(ctx context.Context) error {
	if len(w.moves) == 0 && !w.forHooks.pipeline {
		return nil
	}
	wanted, err := w.hooksWant(ctx)
	if err != nil || !wanted {
		return err
	}
	change := announce.CIChange{Pipeline: w.pipeline, PipelineChanged: w.forHooks.pipeline}
	var deploying []int64
	for i := range w.jobs {
		j := &w.jobs[i]
		if _, moved := w.moves[j.ID]; !moved || j.Bridge {
			continue
		}
		change.Jobs = append(change.Jobs, j.ID)
		if startsEnvironment(j) {
			deploying = append(deploying, j.ID)
		}
	}
	if change.Deployments, err = w.deploymentsOf(ctx, deploying); err != nil {
		return err
	}
	return w.hooks.CI(ctx, change)
}

// announceReplaced announces to webhooks the job that replaces another one, and the other one if it has just ended. That
// happens at once, before the new job starts.
func (w *pipelineTx) announceReplaced(ctx context.Context, old model.Job, ended bool, fresh model.Job) error {
	if old.Bridge {
		return nil
	}
	wanted, err := w.hooksWant(ctx)
	if err != nil || !wanted {
		return err
	}
	change := announce.CIChange{Pipeline: w.pipeline, Jobs: []int64{fresh.ID}}
	if ended {
		change.Jobs = []int64{old.ID, fresh.ID}
	}
	if ended && startsEnvironment(&old) {
		if change.Deployments, err = w.deploymentsOf(ctx, []int64{old.ID}); err != nil {
			return err
		}
	}
	return w.hooks.CI(ctx, change)
}

// deploymentsOf returns the deployments of jobs whose status is sent to webhooks.
func (e *Engine) deploymentsOf(ctx context.Context, jobs []int64) ([]int64, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	return e.store.Deployments.IDsByJobs(ctx, jobs, announce.DeploymentStatuses)
}

// announceClaimed announces to webhooks that a runner has begun a job.
func (e *Engine) announceClaimed(ctx context.Context, p model.Pipeline, jobID int64, deploys bool) error {
	wanted, err := e.hooks.WantsCI(ctx, p.ProjectID)
	if err != nil || !wanted {
		return err
	}
	change := announce.CIChange{Pipeline: p, Jobs: []int64{jobID}}
	if deploys {
		if change.Deployments, err = e.deploymentsOf(ctx, []int64{jobID}); err != nil {
			return err
		}
	}
	return e.hooks.CI(ctx, change)
}
