package engine

import (
	"context"
	"time"

	"svc/server/domain/ci/status"
	"svc/store/model"
)

// Due is the background job that starts a delayed job.
type Due struct {
	JobID int64 `json:"job_id"`
}

// Kind returns the name of the background job.
func (Due) Kind() string { return "ci_due" }

// Due starts a delayed job if it still waits.
func (e *Engine) Due(ctx context.Context, due Due) error {
	job, err := e.store.Jobs.Find(ctx, due.JobID)
	if err != nil || job.Status != string(status.Scheduled) {
		return gone(err)
	}
	if job.ScheduledAt != nil && job.ScheduledAt.After(time.Now()) {
		return nil // the job was retried and has a later time now
	}
	return gone(e.with(ctx, job.PipelineID, func(_ context.Context, w *work) error {
		if j := w.job(job.ID); j != nil && j.Status == string(status.Scheduled) {
			w.move(j, status.Waiting{ResourceGroup: j.ResourceGroup != nil}.Play())
		}
		return nil
	}))
}

// Overdue is the background job that drops jobs that take too long.
type Overdue struct{}

// Kind returns the name of the background job.
func (Overdue) Kind() string { return "ci_overdue" }

// someJobs is how many rows a background job handles per run. The next run handles the rest.
const someJobs = 500

// Overdue drops jobs that no runner has taken, whose runner is silent, or that exceed their timeout.
func (e *Engine) Overdue(ctx context.Context, _ Overdue) error {
	at := now()
	late, err := e.store.Jobs.Overdue(ctx, at.Add(-status.PendingLimit), at.Add(-status.SilenceLimit), at.Add(-status.StaleLimit), someJobs)
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
		if gone(err) != nil {
			return err
		}
	}
	return nil
}

func clocked(j *model.Job) status.Clocked {
	moment := func(t *time.Time) time.Time {
		if t == nil {
			return time.Time{}
		}
		return *t
	}
	return status.Clocked{
		Status: status.Status(j.Status), Queued: moment(j.QueuedAt), Started: moment(j.StartedAt), Contacted: moment(j.ContactedAt),
		Scheduled: moment(j.ScheduledAt), Timeout: time.Duration(j.Timeout) * time.Second,
	}
}
