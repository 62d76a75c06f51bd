package store

import (
	"context"

	"svc/store/internal/query"
)

// The statements of this file differ between the databases, as in queue_processes.go.

// QueueNumbers are numbers of the jobs of the queue.
type QueueNumbers struct {
	Completed int64 // jobs that have ended with success and are still in the queue
	Failed    int64 // jobs whose last attempt failed
	Discarded int64 // jobs that failed for good
	Waiting   map[string]QueueWaiting
	Running   map[string]int64 // by process
}

// QueueWaiting describes the jobs of one queue that could run now and wait.
type QueueWaiting struct {
	Jobs    int64
	Seconds int64 // for which the oldest of them waits
}

// QueueNumbers counts the jobs of the queue. It returns also how many wait in all, now or until their time comes.
func (b *base) QueueNumbers(ctx context.Context) (n QueueNumbers, waiting int64, err error) {
	n.Waiting, n.Running = map[string]QueueWaiting{}, map[string]int64{}
	err = query.ScanFirst(b.db.Read(ctx).Raw("SELECT "+
		"coalesce(sum(CASE WHEN state = 'completed' THEN 1 ELSE 0 END), 0), "+
		"coalesce(sum(CASE WHEN state IN ('retryable', 'discarded') THEN 1 ELSE 0 END), 0), "+
		"coalesce(sum(CASE WHEN state = 'discarded' THEN 1 ELSE 0 END), 0), "+
		"coalesce(sum(CASE WHEN state IN ('available', 'pending', 'retryable', 'scheduled') THEN 1 ELSE 0 END), 0) FROM river_job",
	), &n.Completed, &n.Failed, &n.Discarded, &waiting)
	if err != nil {
		return n, 0, query.Translate(err)
	}
	if err := b.waitingJobs(ctx, n.Waiting); err != nil {
		return n, 0, err
	}
	return n, waiting, b.runningJobs(ctx, n.Running)
}

// waitingJobs counts the jobs that could run now, by queue.
func (b *base) waitingJobs(ctx context.Context, into map[string]QueueWaiting) error {
	age := "cast(max(extract(epoch FROM now() - scheduled_at)) AS bigint)"
	if !b.Postgres() {
		age = "cast(max((julianday('now') - julianday(scheduled_at)) * 86400) AS integer)"
	}
	var rows []struct {
		Queue string
		Jobs  int64
		Age   int64
	}
	err := b.db.Read(ctx).Raw("SELECT queue, count(*) AS jobs, " + age + " AS age FROM river_job WHERE state = 'available' GROUP BY queue").
		Scan(&rows).Error
	for _, row := range rows {
		into[row.Queue] = QueueWaiting{Jobs: row.Jobs, Seconds: max(row.Age, 0)}
	}
	return query.Translate(err)
}

// runningJobs counts the jobs that run, by process.
func (b *base) runningJobs(ctx context.Context, into map[string]int64) error {
	process := "attempted_by[array_upper(attempted_by, 1)]"
	if !b.Postgres() {
		process = "json_extract(attempted_by, '$[#-1]')"
	}
	var rows []struct {
		Process string
		Jobs    int64
	}
	err := b.db.Read(ctx).Raw("SELECT coalesce(" + process + ", '') AS process, count(*) AS jobs FROM river_job " +
		"WHERE state = 'running' GROUP BY process").Scan(&rows).Error
	for _, row := range rows {
		into[row.Process] = row.Jobs
	}
	return query.Translate(err)
}
