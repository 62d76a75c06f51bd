package store

import (
	"context"
	"time"

	"svc/store/internal/query"
)

// The statements of this file differ between the databases: River stores the processes that attempted a job, and its
// errors, as arrays in PostgreSQL and as JSON in SQLite.

// requeued is the error text in the history of a job for an attempt that its process did not finish.
const requeued = "The process that ran the job is dead; the job is restarted."

// alive selects the processes p that were seen within a number of milliseconds. A process that was seen in the future is
// dead: the clock of the database was set back, and a living process is seen again every few seconds.
const alive = "abs(extract(epoch FROM now() - p.seen_at)) * 1000 < ?"

const requeuePostgres = `UPDATE river_job SET
  state = CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END::river_job_state,
  finalized_at = CASE WHEN attempt < max_attempts THEN NULL ELSE now() END,
  scheduled_at = now(),
  errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'error', ?::text, 'trace', ''))
WHERE state = 'running' AND `

const requeueSQLite = `UPDATE river_job SET
  state = CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END,
  finalized_at = CASE WHEN attempt < max_attempts THEN NULL ELSE strftime('%Y-%m-%d %H:%M:%f', 'now') END,
  scheduled_at = strftime('%Y-%m-%d %H:%M:%f', 'now'),
  errors = json_insert(coalesce(errors, json('[]')), '$[#]',
    json_object('at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'attempt', attempt, 'error', ?, 'trace', ''))
WHERE state = 'running' AND `

// QueueHeartbeat stores that a process is working on the queue.
func (b *base) QueueHeartbeat(ctx context.Context, process string) error {
	now := "now()"
	if !b.Postgres() {
		now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	return query.Translate(b.db.Write(ctx).Exec("INSERT INTO queue_processes (id, seen_at) VALUES (?, "+now+") "+
		"ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at", process).Error)
}

// QueueLeave stores that a process has stopped working on the queue. Other processes can take over its jobs at once.
func (b *base) QueueLeave(ctx context.Context, process string) error {
	return query.Translate(b.db.Write(ctx).Exec("DELETE FROM queue_processes WHERE id = ?", process).Error)
}

// QueueAlive returns the processes that have called QueueHeartbeat within the given time. On SQLite nobody calls it.
func (b *base) QueueAlive(ctx context.Context, within time.Duration) (ids []string, err error) {
	if !b.Postgres() {
		return nil, nil
	}
	err = b.db.Read(ctx).Raw("SELECT id FROM queue_processes p WHERE "+alive+" ORDER BY id", within.Milliseconds()).Scan(&ids).Error
	return ids, query.Translate(err)
}

// QueueRequeueDead makes the jobs of dead processes available again and returns their number. It also removes a dead
// process from its place as the leader of the queue. A process is dead if it has not called QueueHeartbeat for the given
// time. On SQLite, which serves one process, every other process is dead.
func (b *base) QueueRequeueDead(ctx context.Context, process string, silence time.Duration) (int64, error) {
	if !b.Postgres() {
		res := b.db.Write(ctx).Exec(requeueSQLite+"coalesce(json_extract(attempted_by, '$[#-1]'), '') <> ?", requeued, process)
		if res.Error != nil {
			return 0, query.Translate(res.Error)
		}
		return res.RowsAffected, query.Translate(b.db.Write(ctx).Exec("DELETE FROM river_leader WHERE leader_id <> ?", process).Error)
	}
	// The leader queues the periodic jobs. Without this statement, a dead one would be replaced only after 20 seconds.
	if err := b.db.Write(ctx).Exec("DELETE FROM river_leader WHERE NOT EXISTS (SELECT 1 FROM queue_processes p WHERE p.id = leader_id AND "+
		alive+")", silence.Milliseconds()).Error; err != nil {
		return 0, query.Translate(err)
	}
	// If another process takes over a row meanwhile, PostgreSQL checks the condition again once the lock is free. Then
	// the row belongs to a live process.
	res := b.db.Write(ctx).Exec(requeuePostgres+"NOT EXISTS (SELECT 1 FROM queue_processes p "+
		"WHERE p.id = attempted_by[array_upper(attempted_by, 1)] AND "+alive+")", requeued, silence.Milliseconds())
	if res.Error != nil || res.RowsAffected == 0 {
		return res.RowsAffected, query.Translate(res.Error)
	}
	err := b.db.Write(ctx).Exec("DELETE FROM queue_processes WHERE seen_at < now() - interval '1 day'").Error
	return res.RowsAffected, query.Translate(err)
}

// QueueRunning returns the jobs that a process started more than the given time ago and that are still stored as
// running.
func (b *base) QueueRunning(ctx context.Context, process string, began time.Duration) (ids []int64, err error) {
	statement := `SELECT id FROM river_job WHERE state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = ?
AND attempted_at < now() - ? * interval '1 millisecond' ORDER BY id`
	if !b.Postgres() {
		statement = `SELECT id FROM river_job WHERE state = 'running' AND json_extract(attempted_by, '$[#-1]') = ?
AND attempted_at < strftime('%Y-%m-%d %H:%M:%f', 'now', -(? / 1000.0) || ' seconds') ORDER BY id`
	}
	err = b.db.Read(ctx).Raw(statement, process, began.Milliseconds()).Scan(&ids).Error
	return ids, query.Translate(err)
}

// QueueComplete marks jobs as completed whose end could not be stored when they ended.
func (b *base) QueueComplete(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	now := "now()"
	if !b.Postgres() {
		now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	return query.Translate(b.db.Write(ctx).Exec(
		"UPDATE river_job SET state = 'completed', finalized_at = "+now+" WHERE state = 'running' AND id IN ?", ids,
	).Error)
}

// QueueRequeue makes running jobs available again.
func (b *base) QueueRequeue(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	statement := requeueSQLite
	if b.Postgres() {
		statement = requeuePostgres
	}
	return query.Translate(b.db.Write(ctx).Exec(statement+"id IN ?", requeued, ids).Error)
}
