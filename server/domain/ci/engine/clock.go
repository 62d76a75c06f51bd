package engine

import (
	"context"
	"time"

	"svc/server/domain/ci/status"
	"svc/store/clock"
	"svc/store/model"
)

// StartDelayed is the background job that starts a delayed job.
type StartDelayed struct {
	JobID int64 `json:"job_id"`
}

// Kind returns the name of the background job.
func (StartDelayed) Kind() string { return "ci_due" }

// StartDelayed starts a delayed job if it still waits.
func (e *Engine) StartDelayed(ctx context.Context, due StartDelayed) error {
	job, err := e.store.Jobs.Find(ctx, due.JobID)
	if err != nil || job.Status != string(status.Scheduled) {
		return ignoreStale(err)
	}
	if job.ScheduledAt != nil && job.ScheduledAt.After(clock.Now(ctx)) {
		return e.schedule(ctx, due, *job.ScheduledAt) // the job was retried, or the clock was moved back
	}
	return ignoreStale(e.update(ctx, job.PipelineID, func(ctx context.Context, w *pipelineTx) error {
		j := w.job(job.ID)
		if j == nil || j.Status != string(status.Scheduled) {
			return nil
		}
		_, err := w.begin(ctx, j, status.Waiting{ResourceGroup: j.ResourceGroup != nil}.Play())
		return err
	}))
}

// DropOverdue is the background job that drops jobs that take too long.
type DropOverdue struct{}

// Kind returns the name of the background job.
func (DropOverdue) Kind() string { return "ci_overdue" }

// batchSize is how many rows a background job handles per run. The next run handles the rest.
const batchSize = 500

// DropOverdue drops jobs that no runner has taken, whose runner is silent, or that exceed their timeout.
func (e *Engine) DropOverdue(ctx context.Context, _ DropOverdue) error {
	at := now(ctx)
	late, err := e.store.Jobs.Overdue(
		ctx,
		at.Add(-status.PendingLimit),
		at.Add(-status.SilenceLimit),
		at.Add(-status.StaleLimit),
		batchSize,
	)
	if err != nil {
		return err
	}
	for _, open := range late {
		job, err := e.store.Jobs.Find(ctx, open.ID)
		if err == nil {
			if reason, overdue := status.Overdue(clocked(&job), at); overdue {
				err = e.Drop(ctx, job, reason)
			}
		}
		if ignoreStale(err) != nil {
			return err
		}
	}
	return nil
}

func clocked(j *model.Job) status.JobTimes {
	moment := func(t *time.Time) time.Time {
		if t == nil {
			return time.Time{}
		}
		return *t
	}
	return status.JobTimes{
		Status: status.Status(j.Status), Queued: moment(j.QueuedAt), Started: moment(j.StartedAt), Contacted: moment(j.ContactedAt),
		Scheduled: moment(j.ScheduledAt), Timeout: time.Duration(j.Timeout) * time.Second,
	}
}
