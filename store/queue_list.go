package store

import (
	"context"
	"time"

	"svc/store/internal/query"

	"gorm.io/gorm"
)

// QueuedJob is a background job in the queue. What it works on is not part of it: that may contain secrets.
type QueuedJob struct {
	ID          int64      `json:"id"`
	Kind        string     `json:"kind"`
	Queue       string     `json:"queue"`
	State       string     `json:"state"`
	Attempt     int        `json:"attempt"`
	MaxAttempts int        `json:"max_attempts"`
	CreatedAt   time.Time  `json:"created_at"`
	ScheduledAt time.Time  `json:"scheduled_at"`
	AttemptedAt *time.Time `json:"attempted_at"`
	FinalizedAt *time.Time `json:"finalized_at"`
	Error       string     `json:"error"` // of the last attempt; empty if it did not fail
}

// QueueFilter says which jobs a list shows. A field that is not set filters nothing.
type QueueFilter struct {
	State, Kind string
	Unfinished  bool // neither completed nor cancelled
}

// QueueStates are the states of jobs in the queue.
var QueueStates = []string{"available", "cancelled", "completed", "discarded", "pending", "retryable", "running", "scheduled"}

// QueueJobs returns one page of the jobs in the queue, the oldest first.
func (b *base) QueueJobs(ctx context.Context, f QueueFilter, p Page) ([]QueuedJob, error) {
	q := b.queuedJobs(ctx)
	if f.State != "" {
		q = q.Where("state = ?", f.State)
	}
	if f.Kind != "" {
		q = q.Where("kind = ?", f.Kind)
	}
	if f.Unfinished {
		q = q.Where("state NOT IN ('completed', 'cancelled')")
	}
	return scanJobs(q.Order("id").Limit(p.Limit).Offset(p.Offset))
}

// QueueStuck returns jobs that do not advance: those that failed for good, those that wait longer than the given time
// although they could run, and those that run longer. It returns at most the given number of them.
func (b *base) QueueStuck(ctx context.Context, longer time.Duration, most int) ([]QueuedJob, error) {
	ago := "now() + ? * interval '1 second'"
	if !b.Postgres() {
		ago = "strftime('%Y-%m-%d %H:%M:%f', 'now', ? || ' seconds')"
	}
	seconds := -longer.Seconds()
	q := b.queuedJobs(ctx).Where("state = 'discarded' OR state = 'available' AND scheduled_at < "+ago+
		" OR state = 'running' AND attempted_at < "+ago, seconds, seconds)
	return scanJobs(q.Order("id").Limit(most))
}

// queuedJobs returns a query for jobs with the error of their last attempt. River stores the errors as an array in
// PostgreSQL and as JSON in SQLite.
func (b *base) queuedJobs(ctx context.Context) *gorm.DB {
	failure := "json_extract(errors, '$[#-1].error')"
	if b.Postgres() {
		failure = "errors[array_upper(errors, 1)] ->> 'error'"
	}
	return b.db.Read(ctx).Table("river_job").Select("id, kind, queue, state, attempt, max_attempts, created_at, scheduled_at, " +
		"attempted_at, finalized_at, coalesce(" + failure + ", '') AS error")
}

func scanJobs(q *gorm.DB) ([]QueuedJob, error) {
	jobs := []QueuedJob{}
	err := q.Scan(&jobs).Error
	return jobs, query.Translate(err)
}

// QueueJob returns a job.
func (b *base) QueueJob(ctx context.Context, id int64) (QueuedJob, error) {
	jobs, err := scanJobs(b.queuedJobs(ctx).Where("id = ?", id).Limit(1))
	if err == nil && len(jobs) == 0 {
		err = &NotFoundError{Resource: "Background Job"}
	}
	if err != nil {
		return QueuedJob{}, err
	}
	return jobs[0], nil
}

// QueueRetry makes a job run now that failed for good, was cancelled, or waits for its time. It gets one more attempt if
// it has none left. QueueRetry returns false if the job is in another state, and a *ConflictError if an equal job waits
// already.
func (b *base) QueueRetry(ctx context.Context, id int64) (bool, error) {
	now := "now()"
	if !b.Postgres() {
		now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	res := b.db.Write(ctx).Exec("UPDATE river_job SET state = 'available', finalized_at = NULL, scheduled_at = "+now+
		", max_attempts = CASE WHEN attempt >= max_attempts THEN attempt + 1 ELSE max_attempts END"+
		" WHERE id = ? AND state IN ('discarded', 'cancelled', 'retryable', 'scheduled')", id)
	return res.RowsAffected > 0, query.Translate(res.Error)
}
