package engine

import (
	"context"
	"slices"

	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Cancel cancels a job. A finished job stays as it is.
func (e *Engine) Cancel(ctx context.Context, job model.Job) error {
	return e.update(ctx, job.PipelineID, func(_ context.Context, w *pipelineTx) error {
		if j := w.job(job.ID); j != nil {
			w.move(j, status.Cancel)
		}
		return nil
	})
}

// CancelAll cancels every unfinished job of a pipeline.
func (e *Engine) CancelAll(ctx context.Context, pipelineID int64) error {
	return e.update(ctx, pipelineID, func(_ context.Context, w *pipelineTx) error {
		for i := range w.jobs {
			if status.Status(w.jobs[i].Status).IsCancelable() {
				w.move(&w.jobs[i], status.Cancel)
			}
		}
		return nil
	})
}

// Retry replaces a finished job with a new one that runs for the given user, with optional variables. Later jobs that
// were skipped wait again. ErrWrongStatus means that the job is not finished or was already retried.
func (e *Engine) Retry(
	ctx context.Context, job model.Job, userID int64, given ...model.JobVariable,
) (model.Job, error) {
	var fresh model.Job
	err := e.update(ctx, job.PipelineID, func(ctx context.Context, w *pipelineTx) error {
		j := w.job(job.ID)
		if j == nil || !(status.Job{Status: status.Status(j.Status), Retried: j.Retried, Rejected: rejected(j)}).CanRetry() {
			return ErrWrongStatus
		}
		allowed, err := w.mayDeploy(ctx, j, &userID)
		if err != nil {
			return err
		}
		if !allowed {
			return apierr.Forbidden()
		}
		place, err := w.replaceJob(ctx, j, &userID, 0)
		if err != nil {
			return err
		}
		if err := w.start(ctx, place); err != nil {
			return err
		}
		fresh = *place
		return e.storeVariables(ctx, fresh.ID, given)
	})
	if err != nil {
		return fresh, err
	}
	return e.store.Jobs.Find(ctx, fresh.ID)
}

// RetryAll retries all failed and canceled jobs of a pipeline. Jobs of protected environments stay as they are if the user may
// not deploy there or the deployment was rejected.
func (e *Engine) RetryAll(ctx context.Context, pipelineID, userID int64) error {
	return e.update(ctx, pipelineID, func(ctx context.Context, w *pipelineTx) error {
		for i := range w.jobs {
			j := &w.jobs[i]
			if s := status.Status(j.Status); s != status.Failed && s != status.Canceled || rejected(j) {
				continue
			}
			if allowed, err := w.mayDeploy(ctx, j, &userID); err != nil || !allowed {
				if err != nil {
					return err
				}
				continue
			}
			if _, err := w.replaceJob(ctx, j, &userID, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

// Play starts a manual or delayed job. ErrWrongStatus means that the job is neither. If its environment is protected, the user
// must be allowed to deploy there, and the deployment must be approved.
func (e *Engine) Play(ctx context.Context, job model.Job, userID int64, given []model.JobVariable) error {
	return e.play(ctx, job, userID, given, true)
}

// play starts a manual or delayed job. With check, it obeys the rules of protected environments.
func (e *Engine) play(ctx context.Context, job model.Job, userID int64, given []model.JobVariable, check bool) error {
	return e.update(ctx, job.PipelineID, func(ctx context.Context, w *pipelineTx) error {
		j := w.job(job.ID)
		if j == nil || !status.Status(j.Status).IsBlocked() {
			return ErrWrongStatus
		}
		if check {
			if err := w.checkPlay(ctx, j, userID); err != nil {
				return err
			}
		}
		if err := e.storeVariables(ctx, j.ID, given); err != nil {
			return err
		}
		waiting := status.Waiting{ResourceGroup: j.ResourceGroup != nil}
		w.move(j, waiting.Play())
		m := w.moves[j.ID]
		m.UserID, j.UserID = userID, &userID
		w.moves[j.ID] = m
		return nil
	})
}

// PlayOrRetry starts a manual or delayed job, or runs a finished manual job again, with optional variables. It returns
// the ID of the job that runs. ErrWrongStatus means that the job allows neither.
func (e *Engine) PlayOrRetry(
	ctx context.Context, job model.Job, userID int64, given []model.JobVariable,
) (int64, error) {
	can := status.Job{Status: status.Status(job.Status), When: job.RunWhen, Retried: job.Retried, Rejected: rejected(&job)}
	if !can.CanPlay() {
		return 0, ErrWrongStatus
	}
	if can.PlaysByRetry() {
		fresh, err := e.Retry(ctx, job, userID, given...)
		return fresh.ID, err
	}
	return job.ID, e.Play(ctx, job, userID, given)
}

// storeVariables stores variables for one run of a job.
func (e *Engine) storeVariables(ctx context.Context, jobID int64, given []model.JobVariable) error {
	rows := make([]model.JobVariable, len(given))
	for i, v := range given {
		rows[i] = model.JobVariable{JobID: jobID, Key: v.Key, Value: v.Value}
	}
	return e.store.Jobs.AddVariables(ctx, rows)
}

// replaceJob replaces a job with a new one in the state created. Later jobs that were skipped wait again.
func (w *pipelineTx) replaceJob(ctx context.Context, j *model.Job, userID *int64, attempt int64) (*model.Job, error) {
	old := *j
	fresh := model.Job{
		ProjectID: old.ProjectID, PipelineID: old.PipelineID, UserID: userID, Bridge: old.Bridge, Name: old.Name, Stage: old.Stage,
		StageIndex: old.StageIndex, Status: string(status.Created), RunWhen: old.RunWhen, AllowFailure: old.AllowFailure, Needs: old.Needs,
		Ref: old.Ref, Tag: old.Tag, Protected: old.Protected, Tags: old.Tags, Interruptible: old.Interruptible,
		ResourceGroup: old.ResourceGroup, Environment: old.Environment, EnvironmentAction: old.EnvironmentAction,
		EnvironmentURL: old.EnvironmentURL, StartIn: old.StartIn, Timeout: old.Timeout, Attempt: attempt,
	}
	ended, err := w.flush(ctx, &old)
	if err != nil {
		return nil, err
	}
	if err := w.store.Jobs.Replace(ctx, old.ID, &fresh); err != nil {
		return nil, err
	}
	if err := w.announceReplaced(ctx, old, ended, fresh); err != nil {
		return nil, err
	}
	*j = fresh
	w.reopen(j)
	if j.Environment == nil {
		return j, nil
	}
	spec, err := w.store.Jobs.Spec(ctx, j.PipelineID, j.Name)
	if err != nil {
		return nil, err
	}
	return j, w.createDeployments(ctx, []*model.Job{j}, map[string]string{j.Name: spec})
}

// flush writes the pending move of a job that is about to be replaced, and of its deployment. settle would not find it,
// because the job is no longer in w.jobs. It returns whether the job was moved.
func (w *pipelineTx) flush(ctx context.Context, j *model.Job) (bool, error) {
	m, moved := w.moves[j.ID]
	if !moved {
		return false, nil
	}
	delete(w.moves, j.ID)
	if err := w.store.Jobs.Move(ctx, map[store.JobMove][]int64{m: {j.ID}}); err != nil || !startsEnvironment(j) {
		return true, err
	}
	return true, w.setDeployments(ctx, deploymentStatus(status.Status(j.Status)), j.ID)
}

// start starts a job at once that a user has retried, if all earlier jobs allow it.
func (w *pipelineTx) start(ctx context.Context, j *model.Job) error {
	all, byName, starts := w.results()
	waiting, before := w.precedingResults(j, all, byName, starts)
	event, ok := status.Next(waiting, before)
	if ok && (event == status.Actionize || event == status.Schedule) {
		event = waiting.Play()
	}
	if !ok || event == status.Skip {
		return nil
	}
	_, err := w.begin(ctx, j, event)
	return err
}

// reopen lets skipped jobs that come after a retried job wait again.
func (w *pipelineTx) reopen(again *model.Job) {
	open := map[string]bool{again.Name: true}
	for i := range w.jobs {
		j := &w.jobs[i]
		if j.ID == again.ID || !(status.Job{Status: status.Status(j.Status)}).Reopens() {
			continue
		}
		names, dag := needs(j)
		after := !dag && j.StageIndex > again.StageIndex || slices.ContainsFunc(names, func(name string) bool { return open[name] })
		if after && w.move(j, status.Process) {
			open[j.Name] = true
		}
	}
}
