package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// RateCounters counts requests where several processes share one database.
type RateCounters struct{ *base }

// Add adds to the number of requests in a window and returns the new number.
func (s RateCounters) Add(ctx context.Context, key string, start, end time.Time, more int64) (int64, error) {
	var n int64
	err := s.db.WriteRow(ctx, "INSERT INTO rate_counters (key, starts_at, ends_at, count) VALUES (?, ?, ?, ?) "+
		"ON CONFLICT (key, starts_at) DO UPDATE SET count = rate_counters.count + excluded.count RETURNING count",
		[]any{key, start, end, more}, &n)
	return n, query.Translate(err)
}

// DeleteExpired removes the windows that ended before a time and returns their number.
func (s RateCounters) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("ends_at < ?", before).Delete(&model.RateCounter{})
	return res.RowsAffected, query.Translate(res.Error)
}
