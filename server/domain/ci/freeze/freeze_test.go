package freeze

import (
	"testing"
	"time"

	"svc/store/model"
)

// A period begins at its first moment and is over at its last one. One that crosses the end of a week or year is whole.
func TestAPeriodLastsFromItsStartToItsEnd(t *testing.T) {
	t.Parallel()
	weekend := model.FreezePeriod{FreezeStart: "0 23 * * 5", FreezeEnd: "0 7 * * 1", CronTimezone: "UTC"}
	berlin := model.FreezePeriod{FreezeStart: "0 23 * * 5", FreezeEnd: "0 7 * * 1", CronTimezone: "Europe/Berlin"}
	year := model.FreezePeriod{FreezeStart: "0 0 23 12 *", FreezeEnd: "0 0 2 1 *", CronTimezone: "UTC"}
	for _, c := range []struct {
		period model.FreezePeriod
		at     string
		want   bool
	}{
		{weekend, "2026-11-13T22:59:59Z", false},
		{weekend, "2026-11-13T23:00:00Z", true},
		{weekend, "2026-11-15T12:00:00Z", true},
		{weekend, "2026-11-16T06:59:59Z", true},
		{weekend, "2026-11-16T07:00:00Z", false},
		{berlin, "2026-11-13T22:00:00Z", true},
		{berlin, "2026-11-16T06:00:00Z", false},
		{year, "2026-12-31T23:59:59Z", true},
		{year, "2027-01-01T12:00:00Z", true},
		{year, "2027-01-02T00:00:00Z", false},
		{year, "2026-11-15T00:00:00Z", false},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := Active([]model.FreezePeriod{c.period}, at); got != c.want {
			t.Errorf("%+v at %s: %v", c.period, c.at, got)
		}
	}
	if Active(nil, time.Now()) {
		t.Error("no period is active")
	}
}
