package store

import (
	"context"
	"database/sql"

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
