package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
)

// Claim assigns a pending job to a runner. It returns false if the job is no longer pending.
func (e *Engine) Claim(ctx context.Context, pipelineID int64, c store.Claim) (taken bool, err error) {
	err = e.store.Tx(ctx, func(ctx context.Context) error {
		p, err := e.store.Pipelines.Lock(ctx, pipelineID)
		if err != nil {
			return ignoreStale(err)
		}
		if taken, err = e.store.Jobs.Claim(ctx, c); err != nil || !taken {
			return err
		}
		if c.Deploys {
			if err := e.store.Deployments.UpdateByJobs(ctx, "running", nil, []int64{c.JobID}); err != nil {
				return err
			}
		}
		if err := e.announceClaimed(ctx, p, c.JobID, c.Deploys); err != nil || status.Status(p.Status) == status.Running {
			return err
		}
		return e.update(ctx, pipelineID, func(context.Context, *pipelineTx) error { return nil })
	})
	return taken && err == nil, err
}

// Outcome is the result of a job.
type Outcome struct {
	Success      bool
	Reason       status.Reason // if the job failed
	ExitCode     *int
	Coverage     *float64
	URL          *string // of the environment, if it was unknown before the job ran
	PublishPages bool    // whether to publish the artifacts of the job as the project's Pages site
}

// Publication is the background job that publishes the Pages site that a job built.
type Publication struct {
	JobID int64 `json:"job_id"`
}

// Kind returns the name of the background job.
func (Publication) Kind() string { return "pages_publication" }

// Finish ends a running job. ErrWrongStatus means that the job does not run.
func (e *Engine) Finish(ctx context.Context, job model.Job, o Outcome) error {
	return e.update(ctx, job.PipelineID, func(ctx context.Context, w *pipelineTx) error {
		j := w.job(job.ID)
		if j == nil || j.Status != string(status.Running) && j.Status != string(status.Canceling) {
			return ErrWrongStatus
		}
		if err := e.store.Jobs.SetResult(ctx, j.ID, o.ExitCode, o.Coverage); err != nil {
			return err
		}
		if o.Success {
			if o.URL != nil {
				if err := e.store.Jobs.SetEnvironmentURL(ctx, j.ID, *o.URL); err != nil {
					return err
				}
				j.EnvironmentURL = o.URL
			}
			if w.move(j, status.Succeed) && o.PublishPages && j.Status == string(status.Success) {
				return w.enqueue(ctx, Publication{JobID: j.ID})
			}
			return nil
		}
		return w.failOrRetry(ctx, j, o)
	})
}

// failOrRetry drops a job that ran, and retries it if the CI file says so.
func (w *pipelineTx) failOrRetry(ctx context.Context, j *model.Job, o Outcome) error {
	spec, err := w.spec(ctx, j)
	if err != nil {
		return err
	}
	if len(spec.AllowFailureExitCodes) > 0 {
		allowed := status.FailureAllowed(j.AllowFailure, spec.AllowFailureExitCodes, o.ExitCode)
		if err := w.store.Jobs.SetAllowFailure(ctx, j.ID, allowed); err != nil {
			return err
		}
		j.AllowFailure = allowed
	}
	w.fail(j, o.Reason)
	if j.Status != string(status.Failed) {
		return nil
	}
	retry := status.Retry{Max: spec.Retry.Max, When: spec.Retry.When, ExitCodes: spec.Retry.ExitCodes}
	if retry.ShouldRetry(int(j.Attempt), o.Reason, o.ExitCode) {
		_, err := w.replaceJob(ctx, j, j.UserID, j.Attempt+1)
		return err
	}
	if !j.AllowFailure {
		w.cancelOthers()
	}
	return nil
}

// cancelOthers cancels jobs according to workflow:auto_cancel:on_job_failure.
func (w *pipelineTx) cancelOthers() {
	for i, canceled := range status.AfterFailure(w.pipeline.OnJobFailure, w.interruptible()) {
		if canceled {
			w.move(&w.jobs[i], status.Cancel)
		}
	}
}

func (w *pipelineTx) interruptible() []status.Interruptible {
	all := make([]status.Interruptible, len(w.jobs))
	for i := range w.jobs {
		j := &w.jobs[i]
		all[i] = status.Interruptible{Status: status.Status(j.Status), Interruptible: j.Interruptible, Started: j.StartedAt != nil}
	}
	return all
}

// Spec reads the definition of a job from the CI file.
func (e *Engine) Spec(ctx context.Context, j *model.Job) (syntax.Job, error) {
	var spec syntax.Job
	text, err := e.store.Jobs.Spec(ctx, j.PipelineID, j.Name)
	if err != nil {
		return spec, err
	}
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return spec, fmt.Errorf("read the definition of job %d: %w", j.ID, err)
	}
	return spec, nil
}

func (w *pipelineTx) spec(ctx context.Context, j *model.Job) (syntax.Job, error) {
	return w.Spec(ctx, j)
}

// Drop fails an unfinished job in any status. ErrWrongStatus means that the job is finished.
func (e *Engine) Drop(ctx context.Context, job model.Job, reason status.Reason) error {
	return e.update(ctx, job.PipelineID, func(ctx context.Context, w *pipelineTx) error {
		j := w.job(job.ID)
		if j == nil || status.Status(j.Status).IsComplete() {
			return ErrWrongStatus
		}
		if j.StartedAt != nil && !j.Bridge {
			return w.failOrRetry(ctx, j, Outcome{Reason: reason})
		}
		w.fail(j, reason)
		return nil
	})
}

// ignoreStale ignores errors that mean that the pipeline or job was deleted or has moved on.
func ignoreStale(err error) error {
	if store.IsNotFound(err) || errors.Is(err, ErrWrongStatus) {
		return nil
	}
	return err
}
