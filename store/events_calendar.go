package store

import (
	"context"
	"strconv"

	"svc/store/internal/query"
)

// maxCalendarEvents is the largest number of events that CountByDay reads. Days before are then not counted.
const maxCalendarEvents = 20_000

// CountByDay counts the events of a list for each day in UTC, by dates such as 2026-11-17. Days without events are left
// out.
func (s Events) CountByDay(ctx context.Context, f EventFilter) (map[string]int64, error) {
	with, err := s.hiddenTables(f.View)
	if err != nil {
		return nil, err
	}
	ids, err := s.ids(f, maxCalendarEvents)
	if err != nil {
		return nil, err
	}
	day := "substr(created_at, 1, 10)" // SQLite stores times as texts in UTC
	if s.Postgres() {
		day = "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	}
	statement := with.text + "SELECT " + day + ", count(*) FROM (" + ids.text + " LIMIT " + strconv.Itoa(maxCalendarEvents) +
		") AS counted GROUP BY 1"
	days := map[string]int64{}
	err = s.db.LongRows(ctx, statement, append(with.args, ids.args...), func(row query.Scanner) error {
		var date string
		var n int64
		err := row.Scan(&date, &n)
		days[date] = n
		return err
	})
	return days, query.Translate(err)
}
