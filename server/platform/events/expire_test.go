package events_test

import (
	"strconv"
	"testing"
	"time"

	"svc/server/platform/events"
	"svc/store/storetest"
)

func TestEventsAreKeptForThreeYears(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now()
	u := storetest.User(t, st)
	for _, at := range []time.Time{now.AddDate(-3, 0, -1), now.AddDate(-3, 0, 1), now} {
		if _, err := st.SQL().ExecContext(
			t.Context(), "INSERT INTO events (author_id, action, created_at) VALUES ("+
				strconv.FormatInt(u.ID, 10)+", 'left', '"+at.UTC().Format("2006-01-02 15:04:05")+"')",
		); err != nil {
			t.Fatal(err)
		}
	}
	if err := events.New(st, nil).Expire(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	left := 0
	if err := st.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM events").Scan(&left); err != nil || left != 2 {
		t.Errorf("%d events are left, %v", left, err)
	}
}
