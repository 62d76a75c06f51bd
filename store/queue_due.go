package store

import (
	"context"
	"time"

	"svc/store/internal/query"
)

// DueQueue is a queue that has jobs to run.
type DueQueue struct {
	Queue     string
	Available int64 // jobs that could be running
}

// QueuesDue returns the queues with jobs that are running, or that may run within the given time and are not of the given
// kinds.
func (b *base) QueuesDue(ctx context.Context, within time.Duration, except []string) (due []DueQueue, err error) {
	err = b.db.Read(ctx).Raw(
		"SELECT queue, sum(CASE WHEN state = 'available' THEN 1 ELSE 0 END) AS available FROM river_job"+
			" WHERE state = 'running' OR kind NOT IN ? AND (state IN ('available', 'pending') OR ("+b.dueWithin()+")) GROUP BY queue",
		except, within.Seconds(),
	).Scan(&due).Error
	return due, query.Translate(err)
}

// QueueHasten makes jobs that are due within the given time due now.
func (b *base) QueueHasten(ctx context.Context, within time.Duration) error {
	now := "now()"
	if !b.Postgres() {
		now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	return query.Translate(b.db.Write(ctx).Exec(
		"UPDATE river_job SET state = 'available', scheduled_at = "+now+" WHERE "+b.dueWithin(), within.Seconds(),
	).Error)
}

// dueWithin is the condition for jobs that wait for a time within the given number of seconds.
func (b *base) dueWithin() string {
	if b.Postgres() {
		return "state IN ('scheduled', 'retryable') AND scheduled_at <= now() + ? * interval '1 second'"
	}
	return "state IN ('scheduled', 'retryable') AND scheduled_at <= strftime('%Y-%m-%d %H:%M:%f', 'now', ? || ' seconds')"
}

// QueueNext returns when the next job that waits for a time is due, except jobs of the given kinds. It returns nil if
// there is none.
func (b *base) QueueNext(ctx context.Context, except []string) (*time.Time, error) {
	var rows []struct{ ScheduledAt time.Time }
	err := b.db.Read(ctx).Raw(
		"SELECT scheduled_at FROM river_job WHERE kind NOT IN ? AND state IN ('scheduled', 'retryable')"+
			" ORDER BY scheduled_at LIMIT 1",
		except,
	).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, query.Translate(err)
	}
	return &rows[0].ScheduledAt, nil
}
