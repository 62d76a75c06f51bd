package store

import (
	"context"
	"database/sql"
	"time"

	"svc/store/internal/query"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// QueueDriver returns the driver for the job queue. It can join our transactions on both databases.
func (b *base) QueueDriver() riverdriver.Driver[*sql.Tx] {
	if b.Postgres() {
		return riverdatabasesql.New(b.SQL())
	}
	return riversqlite.New(b.SQL())
}

// QueueDepth counts the unfinished jobs by state.
func (b *base) QueueDepth(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{"available": 0, "running": 0, "retryable": 0, "scheduled": 0}
	var rows []struct {
		State string
		N     int64
	}
	err := b.db.Read(ctx).Raw(
		"SELECT state, count(*) AS n FROM river_job WHERE state IN ('available', 'running', 'retryable', 'scheduled'," +
			" 'pending') GROUP BY state",
	).Scan(&rows).Error
	for _, row := range rows {
		counts[row.State] = row.N
	}
	return counts, query.Translate(err)
}

// QueueShift moves the times of waiting jobs after the clock of the store was moved by a duration. It returns the jobs whose
// time has come, which are available then.
func (b *base) QueueShift(ctx context.Context, by time.Duration) (due []int64, err error) {
	sooner, now := "scheduled_at - ? * interval '1 microsecond'", "now()"
	if !b.Postgres() {
		sooner = "strftime('%Y-%m-%d %H:%M:%f', scheduled_at, -(? / 1000000.0) || ' seconds')"
		now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	const waiting = " WHERE state IN ('scheduled', 'retryable')"
	err = b.Tx(ctx, func(ctx context.Context) error {
		q := b.db.Write(ctx)
		if err := q.Exec("UPDATE river_job SET scheduled_at = "+sooner+waiting, by.Microseconds()).Error; err != nil {
			return err
		}
		due = nil
		available := "UPDATE river_job SET state = 'available'" + waiting + " AND scheduled_at <= " + now + " RETURNING id"
		return q.Raw(available).Scan(&due).Error
	})
	return due, query.Translate(err)
}

// QueueUnfinished counts those of the given jobs that are available or running.
func (b *base) QueueUnfinished(ctx context.Context, ids []int64) (n int64, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	err = b.db.Read(ctx).Table("river_job").Where("id IN ? AND state IN ('available', 'running')", ids).Count(&n).Error
	return n, query.Translate(err)
}
